//! Lessons: one question each, as cargo examples of this package.

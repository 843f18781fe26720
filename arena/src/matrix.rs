//! Small dense matrices, as lists of rows.

/// The inverse of a nonsingular matrix, by elimination with pivots.
pub(crate) fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|column| if column == at { 1.0 } else { 0.0 }));
    }
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))
            .expect("there is at least one row left");
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        matrix[column].iter_mut().for_each(|value| *value /= scale);
        let pivot_row = matrix[column].clone();
        for (at, row) in matrix.iter_mut().enumerate() {
            if at != column {
                let factor = row[column];
                row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    matrix.into_iter().map(|row| row[n..].to_vec()).collect()
}

/// The product of two matrices.
pub(crate) fn product(one: &[Vec<f64>], other: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let cell = |row: &Vec<f64>, column: usize| {
        row.iter().zip(other).map(|(value, line)| value * line[column]).sum()
    };
    one.iter().map(|row| (0..row.len()).map(|column| cell(row, column)).collect()).collect()
}

/// The lower triangle `L` with `L L^T` equal to a positive definite matrix (Cholesky); a diagonal
/// element that is not positive because of rounding counts as zero.
pub(crate) fn cholesky(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut lower = vec![vec![0.0; n]; n];
    for row in 0..n {
        for column in 0..=row {
            let known: f64 = (0..column).map(|at| lower[row][at] * lower[column][at]).sum();
            let left = matrix[row][column] - known;
            lower[row][column] = if row == column {
                left.max(0.0).sqrt()
            } else if lower[column][column] > 0.0 {
                left / lower[column][column]
            } else {
                0.0
            };
        }
    }
    lower
}

/// The product of a matrix and a vector.
pub(crate) fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

/// The inner product of two vectors.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_the_product_of_its_triangles_and_undone_by_its_inverse() {
        let matrix = vec![vec![4.0, 2.0, 1.0], vec![2.0, 5.0, 3.0], vec![1.0, 3.0, 6.0]];
        let lower = cholesky(&matrix);
        let transposed: Vec<Vec<f64>> =
            (0..3).map(|column| lower.iter().map(|row| row[column]).collect()).collect();
        let close = |one: &[Vec<f64>], other: &dyn Fn(usize, usize) -> f64| {
            (0..3).all(|row| (0..3).all(|at| (one[row][at] - other(row, at)).abs() < 1e-12))
        };
        assert!(close(&product(&lower, &transposed), &|row, at| matrix[row][at]));
        let one = product(&matrix, &inverse(matrix.clone()));
        assert!(close(&one, &|row, at| f64::from(u8::from(row == at))));
    }
}

"use strict";
// The page of one game. Texts of bots are only ever set as text.
const game = JSON.parse(document.getElementById("game").textContent);
const page = document.getElementById("page");
const steps = game.steps;
let now = 0;

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const colour = (seat) => (seat === 0 ? "one" : "two");
const seconds = (ms) => (ms === null ? "" : (ms / 1000).toFixed(3));
const signed = (value) => (value === null ? "" : (value >= 0 ? "+" : "") + value.toFixed(3));
const nameOf = (seat) => (game.seats[seat] ? game.seats[seat].name : "seat " + (seat + 1));

// The value of step `at` for its bot, less the same bot's value before.
function drop(at) {
  const step = steps[at];
  if (step.value === null) return 0;
  for (let before = at - 1; before > 0; before--)
    if (steps[before].seat === step.seat && steps[before].value !== null) return steps[before].value - step.value;
  return 0;
}

function largestDrop() {
  let best = 0;
  for (let at = 1; at < steps.length; at++) if (drop(at) > (best ? drop(best) : 0)) best = at;
  return best;
}

const board = element("div", { id: "board" });
const where = element("p", { id: "where", "aria-live": "polite" });
const rows = [];
const considered = element("div");
const cursors = [];

function header() {
  const head = element("header", {}, element("h1", {}, game.game + ", seed " + game.seed));
  const line = element("p", { class: "soft" });
  game.seats.forEach((seat, at) => {
    if (at) line.append(" against ");
    line.append(element("span", { class: colour(at) }, seat.name), " " + seat.points);
  });
  line.append(": " + game.description);
  head.append(line);
  if (game.verdict !== null)
    head.append(element("p", { class: "fault", id: "verdict" }, nameOf(game.at_fault) + " loses: " + game.verdict));
  if (game.contended) head.append(element("p", { class: "fault" }, "The machine was too busy: the game does not count."));
  return head;
}

function button(text, label, action) {
  return element("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
}

function boardSection() {
  return element("section", { "aria-label": "board" }, board, where,
    element("div", { class: "buttons" },
      button("|◀", "start (Home)", () => go(0)),
      button("◀", "one action back (left arrow)", () => go(now - 1)),
      button("▶", "one action on (right arrow)", () => go(now + 1)),
      button("▶|", "end (End)", () => go(steps.length - 1)),
      button("largest drop", "largest drop of value (d)", () => go(largestDrop()))));
}

function moveSection() {
  const body = element("tbody");
  steps.forEach((step, at) => {
    const row = element("tr", { tabindex: "-1", onclick: () => go(at) },
      element("td", { class: "number soft" }, at ? String(at) : ""),
      element("td", { class: step.seat === null ? "soft" : colour(step.seat) }, at ? step.action : "start"),
      element("td", { class: "number" }, seconds(step.took_ms)),
      element("td", { class: "number" }, signed(step.value)));
    rows.push(row);
    body.append(row);
  });
  const head = element("tr", {}, element("th", { class: "number" }, ""), element("th", {}, "action"),
    element("th", { class: "number" }, "seconds"), element("th", { class: "number" }, "value"));
  const moves = element("div", { class: "moves", tabindex: "0", "aria-label": "actions of the game" },
    element("table", {}, element("thead", {}, head), body));
  return element("section", {}, element("h2", {}, "Actions"), moves, element("h2", {}, ""), considered);
}

// A chart of lines [seat, [[step, y], ...], dash]; clicking goes to the step.
function chart(title, lines, low, high, unit) {
  const width = 600, height = 150, left = 44, bottom = 18, space = "http://www.w3.org/2000/svg";
  const svg = (name, attributes, text) => {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const last = Math.max(1, steps.length - 1);
  const x = (at) => left + (at / last) * (width - left - 8);
  const y = (value) => 8 + (1 - (value - low) / (high - low)) * (height - bottom - 8);
  const root = svg("svg", { class: "chart", viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": title,
    preserveAspectRatio: "none" });
  for (const value of [low, (low + high) / 2, high]) {
    root.append(svg("path", { d: "M" + left + " " + y(value) + "H" + width, stroke: "var(--line)", fill: "none" }));
    root.append(svg("text", { x: left - 4, y: y(value) + 4, "text-anchor": "end" }, +value.toFixed(2) + unit));
  }
  for (const [seat, points, dash] of lines) {
    const d = points.map(([at, value], i) => (i ? "L" : "M") + x(at).toFixed(1) + " " + y(value).toFixed(1)).join("");
    const stroke = "var(--" + colour(seat) + ")";
    if (points.length) root.append(svg("path", { d, stroke, fill: "none", "stroke-width": 1.8, "stroke-dasharray": dash || "none" }));
  }
  const cursor = svg("path", { stroke: "var(--soft)", "stroke-dasharray": "3 3" });
  cursors.push((at) => cursor.setAttribute("d", "M" + x(at) + " 4V" + (height - bottom)));
  root.append(cursor);
  root.addEventListener("click", (event) => {
    const box = root.getBoundingClientRect();
    go(Math.round((((event.clientX - box.left) / box.width) * width - left) / (width - left - 8) * last));
  });
  return element("section", {}, element("h2", {}, title), root);
}

function valueChart() {
  const lines = game.seats.map((_, seat) => [seat, steps.map((step, at) => [at, step.value, step.seat])
    .filter(([, value, by]) => by === seat && value !== null)]);
  const values = lines.flatMap(([, points]) => points.map(([, value]) => value));
  if (!values.length) return null;
  const high = Math.max(1, ...values), low = Math.min(-1, ...values);
  return chart("Value, by the view of each bot", lines, low, high, "");
}

function clockChart() {
  if (!steps.some((step) => step.took_ms !== null)) return null;
  const lines = game.seats.map((_, seat) => {
    let left = game.wall_limit_ms;
    const points = [[0, left / 1000]];
    steps.forEach((step, at) => {
      if (step.seat === seat && step.took_ms !== null) points.push([at, (left -= step.took_ms) / 1000]);
    });
    return [seat, points];
  });
  const lowest = Math.min(0, ...lines.flatMap(([, points]) => points.map(([, value]) => value)));
  return chart("Wall time left", lines, lowest, game.wall_limit_ms / 1000, " s");
}

function seatSection() {
  const section = element("section", { class: "wide" }, element("h2", {}, "Bots"));
  game.seats.forEach((seat, at) => {
    section.append(element("p", {}, element("span", { class: colour(at) }, seat.name), ": " + seconds(seat.wall_ms) +
      " s wall, " + seconds(seat.cpu_ms) + " s CPU"));
    for (const warning of seat.warnings) section.append(element("p", { class: "soft" }, "tolerated: " + warning));
    if (seat.last_errors.length) section.append(element("div", { class: "scroll" },
      element("h2", {}, "Last lines of standard error"), element("pre", {}, seat.last_errors.join("\n"))));
  });
  return section;
}

function messageSection() {
  if (!game.messages.length) return null;
  const arrows = { to: "→", from: "←", report: "·" };
  const lines = game.messages.map(([at, seat, from, text]) =>
    (at / 1000).toFixed(4).padStart(9) + " " + nameOf(seat) + " " + arrows[from] + " " + text);
  if (game.messages_left_out) lines.push(game.messages_left_out + " more messages are not in this page");
  const details = element("details", {}, element("summary", {}, "Messages (→ to the bot, ← from it, · its reports)"));
  details.addEventListener("toggle", () => {
    if (details.children.length === 1) details.append(element("pre", { class: "scroll" }, lines.join("\n")));
  });
  return element("section", { class: "wide" }, details);
}

function showCandidates(step) {
  considered.replaceChildren();
  if (step.candidates.length) {
    const body = step.candidates.map((one) => element("tr", {}, element("td", {}, one.action),
      element("td", { class: "number" }, one.visits === null ? "" : String(one.visits)),
      element("td", { class: "number" }, signed(one.value) + (one.error === null ? "" : " ± " + (1.96 * one.error).toFixed(3))),
      element("td", { class: "number" }, one.prior === null ? "" : one.prior.toFixed(3)),
      element("td", {}, one.proof === null ? "" : one.proof), element("td", { class: "soft" }, one.line)));
    const head = ["candidate", "visits", "value", "prior", "proof", "line"].map((text, at) =>
      element("th", at > 0 && at < 4 ? { class: "number" } : {}, text));
    considered.append(element("div", { class: "scroll" },
      element("table", { id: "candidates" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body))));
  }
  if (step.reports.length) considered.append(element("pre", { class: "soft" }, step.reports.join("\n")));
}

function go(to) {
  now = Math.max(0, Math.min(steps.length - 1, to));
  const step = steps[now];
  if (step.svg !== null) board.innerHTML = step.svg; // drawn by the game, not written by a bot
  else board.replaceChildren(element("pre", {}, step.picture));
  where.textContent = now ? now + " of " + (steps.length - 1) + ": " + nameOf(step.seat) + " " + step.action : "Start of " + (steps.length - 1) + " actions";
  rows.forEach((row, at) => row.classList.toggle("now", at === now));
  rows[now].setAttribute("aria-current", "step");
  rows.forEach((row, at) => { if (at !== now) row.removeAttribute("aria-current"); });
  const moves = rows[now].closest(".moves");
  if (moves) moves.scrollTop = rows[now].offsetTop - moves.offsetTop - moves.clientHeight / 2;
  showCandidates(step);
  cursors.forEach((move) => move(now));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0),
    End: () => go(steps.length - 1), d: () => go(largestDrop()) };
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});

for (const part of [header(), boardSection(), moveSection(), valueChart(), clockChart(), seatSection(), messageSection()])
  if (part) page.append(part);
go(0);

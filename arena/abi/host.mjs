// Runs a bot's module under Node.js: `node host.mjs MODULE.wasm [PARAMETERS]`, lines on standard input and output.
// `instantiate` needs nothing of Node.js and works in a browser as well.
// `BOT_REPORT` in the environment asks for a line `report ...` on standard error after each answer.

/** A started bot: `line(text)` returns {answer, report}, null for no answer, or undefined if the bot leaves. */
export async function instantiate(bytes, parameters, clocks) {
  const { instance } = await WebAssembly.instantiate(bytes, { host: clocks });
  const bot = instance.exports;
  const put = (text) => {
    const encoded = new TextEncoder().encode(text);
    const address = bot.input(encoded.length);
    new Uint8Array(bot.memory.buffer, address, encoded.length).set(encoded);
  };
  const get = (address, length) =>
    new TextDecoder().decode(new Uint8Array(bot.memory.buffer, address, length));
  put(parameters);
  if (bot.start() !== 0) throw new Error(`the bot refuses the parameters ${JSON.stringify(parameters)}`);
  return {
    line(text) {
      put(text);
      const length = bot.line();
      if (length === -1) return null;
      if (length < 0) return undefined;
      return { answer: get(bot.output(), length), report: get(bot.report(), bot.report_length()) };
    },
    memoryBytes: () => bot.memory.buffer.byteLength,
  };
}

/** Wall time, and processor time as unknown: what a page can know. */
export const wallClock = {
  monotonic_nanos: () => BigInt(Math.round(performance.now() * 1e6)),
  cpu_nanos: () => -1n,
};

async function main() {
  const { readFileSync, writeSync } = await import("node:fs");
  const { createInterface } = await import("node:readline");
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return BigInt(user + system) * 1000n;
  };
  const bytes = readFileSync(process.argv[2]);
  const bot = await instantiate(bytes, process.argv[3] ?? "", { ...wallClock, cpu_nanos: cpu });
  for await (const line of createInterface({ input: process.stdin })) {
    const said = bot.line(line);
    if (said === undefined) break;
    if (said === null) continue;
    writeSync(1, `${said.answer}\n`);
    if (process.env.BOT_REPORT !== undefined && said.report) writeSync(2, `report ${said.report}\n`);
  }
  process.stdin.destroy();
}

if (typeof process !== "undefined" && process.argv[1] === new URL(import.meta.url).pathname) await main();

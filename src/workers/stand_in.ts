// The stand-in's worker: plays Hermes for the demo, and may touch nothing but the profile that it runs in.
import { connectBootstrap } from "../os/bootstrap_port.ts";
import { playHermes } from "../os/hermes_double.ts";

async function main(): Promise<void> {
  const { argv, place, exit } = await connectBootstrap();
  exit(await playHermes(argv.slice(1), place.taskHome));
}

void main();

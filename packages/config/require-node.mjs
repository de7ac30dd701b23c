// Loaded before every program: `node --import ./packages/config/require-node.mjs …`.
// When an install fails, pnpm only warns and the program would run on whatever Node the machine has.
// Plain JavaScript, so that an old Node can still read it and say what is wrong.
const required = 24
const { node: version } = process.versions

if (Number.parseInt(version, 10) < required) {
  console.error(
    `Quipu needs Node ${required} or newer, and this is Node ${version}.\n` +
      'The repository brings its own: run `npx -y pnpm@12 install` and see why it failed.',
  )
  process.exit(1)
}

// Ends the process, with one line, on a Node that is too old for the programs of this repository.
//
// Each program imports this and nothing else before the rest of it. The scripts of package.json
// preload it too: an old Node cannot read TypeScript. Plain JavaScript, for the same reason.
const required = 24
const { node: version } = process.versions

if (Number.parseInt(version, 10) < required) {
  console.error(
    `Quipu needs Node ${required} or newer, and this is Node ${version}: install a newer one ` +
      '(in a clone, `npx -y pnpm@12 install` does).',
  )
  process.exit(1)
}

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cleanWorkspace, type Files, packageFolders, settingsNeed, stubs } from './clean-workspace.fixture.ts'
import { type Command, type Outcome, repository, run } from './command.ts'
import { type GuardName, guards } from './guards.ts'

/** A workspace in a temporary folder, with this repository's own settings, to run guards in. */
export type Workspace = Disposable & {
  run(command: Command): Promise<Outcome>
  /** Runs a guard as `check` does. `extra` arguments may change its output format. */
  guard(name: GuardName, ...extra: string[]): Promise<Outcome>
}

/** Writes the clean workspace, then the plants, which replace files of the same path. */
export function plant(plants: Files = {}): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'quipu-planted-'))
  const settings = join(repository, 'packages', 'config')
  for (const name of readdirSync(settings).filter((each) => /\.(jsonc?|ts|mjs)$/.test(each))) {
    cpSync(join(settings, name), write(folder, `packages/config/${name}`, ''))
  }
  const nodeGuard = 'packages/runtime/require-node.mjs'
  cpSync(join(repository, nodeGuard), write(folder, nodeGuard, ''))
  for (const [path, text] of Object.entries({ ...cleanWorkspace, ...plants })) {
    write(folder, path, text)
  }
  install(folder)
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  return {
    run: (command) => run(command, folder),
    guard: (name, ...extra) => run([...guards[name].command, ...extra], folder),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

function write(folder: string, path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** Writes `node_modules` without a registry. */
function install(folder: string): void {
  for (const name of stubs) {
    const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js' }
    write(folder, `node_modules/${name}/package.json`, JSON.stringify(manifest))
    write(folder, `node_modules/${name}/index.js`, 'export const stub = 0\n')
    write(folder, `node_modules/${name}/index.d.ts`, 'export declare const stub: number\n')
  }
  for (const name of settingsNeed) {
    link(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const path of packageFolders) {
    const name = path.replace(/^\w+/, '@quipu')
    link(join(folder, path), join(folder, 'node_modules', name))
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'junction')
}

import { fileURLToPath } from 'node:url'
import type { Command } from './command.ts'

/** A check of the whole repository: one command, run at its root, that exits with 0 if it finds no violation. */
export type Guard = {
  readonly command: Command
  /** Extracts from the output how many source files the guard read. `check` compares it with their number. */
  readonly filesRead?: RegExp
}

export type GuardName =
  | 'format'
  | 'lint'
  | 'types'
  | 'boundaries'
  | 'dead code'
  | 'house rules'
  | 'packages'
  | 'references'

/** The command that runs a program of this folder. */
export const program = (name: string): Command => ['node', fileURLToPath(new URL(name, import.meta.url))]

/** Every guard, by the name that `check` prints. A test shows each one failing. */
export const guards: Readonly<Record<GuardName, Guard>> = {
  format: {
    command: [
      'oxfmt',
      '--check',
      '--config=packages/config/oxfmt.json',
      '.',
      '!**/*.md',
      '!pnpm-lock.yaml',
      '!packages/client/src/openapi/openapi.ts', // It is as its generator writes it.
    ],
    filesRead: /on (\d+) files/,
  },
  lint: {
    // Programs that import generated clients are type-checked where they run.
    command: ['oxlint', '--config=packages/config/oxlint.jsonc', '--ignore-pattern=hosts/lab/clients'],
    filesRead: /on (\d+) files/,
  },
  types: { command: ['tsc', '-b', 'packages/config/tsconfig.solution.json'] },
  boundaries: {
    command: [
      'depcruise',
      '--config=packages/config/dependency-cruiser.config.ts',
      'packages/*/src',
      'hosts/*/src',
      'docs/*/src',
    ],
    filesRead: /(\d+) modules/,
  },
  'dead code': { command: ['knip', '--config=packages/config/knip.jsonc', '--no-progress'] },
  'house rules': { command: program('tidy.ts'), filesRead: /(\d+) files/ },
  packages: { command: program('package-check.ts') },
  references: {
    command: [
      ...program('../node_modules/typedoc/bin/typedoc'),
      '--options',
      'packages/config/typedoc.jsonc',
      '--emit',
      'none',
    ],
  },
}

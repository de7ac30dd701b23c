import { type Program, run } from './process.fixture.ts'

/** How a run of `quipu-admin` ended. */
export type Ended = { readonly code: number | NodeJS.Signals; readonly output: string }

/** `quipu-admin` as a child process, with an environment. */
export type Admin = {
  run(...args: string[]): Promise<Ended>
  /** Runs a command that must succeed. @returns its JSON */
  json<T>(...args: string[]): Promise<T>
}

export function adminWith(env: Record<string, string>): Admin {
  const ended = async (args: string[]): Promise<Ended> => {
    const program: Program = run('admin/src/main.ts', env, args)
    return { code: await program.ended, output: program.output() }
  }
  return {
    run: (...args) => ended(args),
    async json<T>(...args: string[]) {
      const { code, output } = await ended([...args, '--json'])
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`)
      return JSON.parse(output) as T
    },
  }
}

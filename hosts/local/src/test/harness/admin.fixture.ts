import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '@quipu/admin/testing'

/** How a run of `quipu-admin` ended. */
export type Ended = { readonly code: number; readonly output: string }

/** `quipu-admin` in this process, with an environment. */
export type Admin = {
  run(...args: string[]): Promise<Ended>
  /** Runs a command that must succeed. @returns its JSON */
  json<T>(...args: string[]): Promise<T>
}

export function adminWith(env: Record<string, string>): Admin {
  const run = async (...args: string[]): Promise<Ended> => {
    let output = ''
    const write = (text: string): void => void (output += text)
    const terminal = { out: write, error: write, columns: undefined, showsProgress: false }
    const code = await runCommand(args, { terminal, env, pause })
    return { code, output }
  }
  return {
    run,
    async json<T>(...args: string[]) {
      const { code, output } = await run(...args, '--json')
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`)
      return JSON.parse(output) as T
    },
  }
}

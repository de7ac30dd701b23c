import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'

/** A program of the benchmark in a process of its own, which answers messages one at a time. */
export type Child<Answer> = {
  /** What it has said first. */
  readonly ready: Answer
  readonly pid: number
  ask(message: string): Promise<Answer>
  stop(): Promise<void>
}

/** @param name  of its file, beside this one, without the ending */
export async function startChild<Answer>(
  name: string,
  args: readonly string[],
  execArgv: readonly string[] = [],
): Promise<Child<Answer>> {
  // Built when this is built: a production process does not strip types as it starts.
  const main = new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url)
  const child = fork(main, [...args], { execArgv: [...process.execArgv, ...execArgv] })
  return {
    ready: await answer(child, name),
    pid: child.pid ?? 0,
    ask: (message) => {
      child.send(message)
      return answer(child, name)
    },
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

function answer<Answer>(child: ChildProcess, name: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const gone = (): void => reject(new Error(`${name} ended`))
  child.once('exit', gone)
  child.once('message', (message) => {
    child.off('exit', gone)
    resolve(message as Answer)
  })
  return promise
}

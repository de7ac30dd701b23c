import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'

/** A program of this folder in its own process, which answers one message at a time. */
export type Child<Reply> = {
  /** Its first message. */
  readonly ready: Reply
  readonly pid: number
  request(message: string): Promise<Reply>
  stop(): Promise<void>
}

/** @param name  its file in this folder, without the extension */
export async function startChild<Reply>(
  name: string,
  args: readonly string[],
  execArgv: readonly string[] = [],
): Promise<Child<Reply>> {
  // Run from `dist` this starts compiled programs, as in production, without stripping types.
  const main = new URL(`${name}${extname(import.meta.filename)}`, import.meta.url)
  const child = fork(main, [...args], { execArgv: [...process.execArgv, ...execArgv] })
  return {
    ready: await nextReply(child, name),
    pid: child.pid ?? 0,
    request: (message) => {
      child.send(message)
      return nextReply(child, name)
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

function nextReply<Reply>(child: ChildProcess, name: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const exited = (): void => reject(new Error(`${name} exited before its reply`))
  child.once('exit', exited)
  child.once('message', (message) => {
    child.off('exit', exited)
    resolve(message as Reply)
  })
  return promise
}

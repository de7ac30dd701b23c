import { CommandError, exitCodes } from '../exit.ts'
import { errorOf, reasonOf } from './call-api.ts'
import type { Connection } from './connection.ts'

/** The source and the target of a download. */
export type Download = {
  readonly path: string
  readonly accept: string
  /** The longest pause between two chunks: the whole may take any time. */
  readonly timeoutMs: number
}

/** An answer of any length, chunk by chunk. @throws ApiError, CommandError when it ends early */
export async function* download(
  { url, token }: Connection,
  { path, accept, timeoutMs }: Download,
): AsyncGenerator<string> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  try {
    const response = await fetch(`${url}${path}`, {
      headers: { accept, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      redirect: 'error', // A redirect would carry the token elsewhere.
      signal: abort.signal,
    })
    if (response.status >= 300) throw errorOf(response.status, await response.text())
    const decoder = new TextDecoder()
    const body: AsyncIterable<Uint8Array> | null = response.body
    for await (const chunk of body ?? []) {
      timer.refresh()
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(
      exitCodes.unavailable,
      `${new URL(url).origin} did not answer completely: ${reasonOf(error)}.`,
    )
  } finally {
    clearTimeout(timer)
  }
}

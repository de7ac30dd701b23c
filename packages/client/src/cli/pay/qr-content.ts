import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'

/** The content of a QR: the argument, or with `-` standard input without its last line break. */
export async function qrContent(given: string, { terminal }: Context): Promise<string> {
  const content = given === '-' ? (await terminal.input()).replace(/\r?\n$/, '') : given
  if (content === '') throw usageError('The content of the QR is empty.')
  return content
}

import { stripTypeScriptTypes } from 'node:module'
import type { SourceFile } from './source-file.ts'

/**
 * Sources that Node cannot run without a build, although the compiler accepts them: its parser of types is another
 * program (`for (const of of …)`).
 */
export const strippingBreaches = (files: readonly SourceFile[]): string[] =>
  files.filter(({ path }) => /\.m?ts$/.test(path)).flatMap(breachesOf)

function breachesOf({ path, text }: SourceFile): string[] {
  try {
    stripTypeScriptTypes(text)
    return []
  } catch (error) {
    const { message, stack = '' } = error as Error
    const [, line = '1'] = /^:(\d+)/.exec(stack) ?? []
    return [`${path}:${line}: Node cannot strip its types (${message}): write it in another way`]
  }
}

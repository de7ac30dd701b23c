import { sha256 } from '@quipu/core/adapter'
import { operatorRoles } from '@quipu/core/operator'

const commonWords = ['admin', 'changeme', 'operator', 'password', 'quipu', 'root', 'secret', 'token']
const printable = Array.from({ length: 95 }, (_, n) => String.fromCodePoint(32 + n))

/** Hashes of guessable tokens: at most two characters, a common word, or a name or role. */
function guessableHashes(namesAndRoles: readonly string[]): ReadonlySet<string> {
  const pairs = printable.flatMap((one) => printable.map((other) => one + other))
  const guessable = ['', ...printable, ...pairs, ...commonWords, ...namesAndRoles]
  // With a newline too: `echo` appends one.
  return new Set(guessable.flatMap((text) => [sha256(text), sha256(`${text}\n`)]))
}

/** Whether the hash is that of a token which is easily guessed, or is no hash of a random token at all. */
export const isGuessableHash = (hash: string, person: string): boolean =>
  /^(.)\1*$/.test(hash) || guessableHashes([person, ...operatorRoles]).has(hash)

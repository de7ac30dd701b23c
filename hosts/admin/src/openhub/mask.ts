/** Members whose values name an account, a person or a secret. */
const masked =
  /"(access_token|cuenta\w*|numeroCuentas?|nit|ci\w*|titular\w*|nombreCliente\w*|Authorization|client_id)"\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\]|-?[\d.]+)/g

const hidden = (text: string): string => text.replaceAll(/\d/g, '9').replaceAll(/\p{L}/gu, 'x')

/**
 * JSON text without secrets, accounts and names: digits become 9 and letters x, so that types and lengths stay visible.
 *
 * @param secrets  hidden wherever they stand
 */
export function mask(text: string, secrets: readonly string[]): string {
  const own = secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden(secret)), text)
  return own.replaceAll(masked, (_all, name: string, value: string) => `"${name}":${hidden(value)}`)
}

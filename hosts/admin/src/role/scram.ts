import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'

const iterations = 4_096

/**
 * A password as PostgreSQL stores it, so that neither the statement nor the server's log has the password.
 *
 * @param password  ASCII
 * @param salt  16 random bytes
 * @source RFC 5803; PostgreSQL, "pg_authid"
 */
export function scramVerifier(password: string, salt: Uint8Array): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const serverKey = keyOf('Server Key').toString('base64')
  const salt64 = Buffer.from(salt).toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt64}$${storedKey}:${serverKey}`
}

import { createDatabase, startPostgres } from '@quipu/embedded-postgres'

/** Starts a server, creates a database in it, and stops it. @returns the URL of the database */
export async function makeDatabase(dataDir: string): Promise<string> {
  const server = await startPostgres({ dataDir, durability: 'full' })
  await createDatabase(server, 'quipu')
  await server.stop()
  return server.urlFor('quipu')
}

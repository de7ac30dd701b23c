import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** A way to a database that a test can cut and restore. */
export type CuttableDatabase = {
  readonly url: string
  /** Breaks every connection, and takes no more. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

/** @param url  of a database that listens on a socket of the file system */
export async function cuttableDatabase(url: string): Promise<CuttableDatabase> {
  const target = new URL(url)
  const folder = target.searchParams.get('host') ?? ''
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.resetAndDestroy()
    const far = connect(join(folder, `.s.PGSQL.${target.port || '5432'}`))
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`,
    cut,
    restore: () => {
      isCut = false
    },
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

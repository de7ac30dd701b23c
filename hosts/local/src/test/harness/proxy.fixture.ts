import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy between two programs, with faults. */
export type Proxy = {
  readonly url: string
  /** Discards all requests from now on. Resolves when the first bytes of one arrive. */
  dropRequests(): Promise<void>
  /** Forwards requests again. */
  forward(): void
  /** Calls `act` when the next answer begins, then drops the connection without forwarding it. */
  onNextAnswer(act: () => void): void
  stop(): Promise<void>
}

/** @param target  URL of the listener behind the proxy */
export async function proxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let dropped: (() => void) | undefined
  let intercept: (() => void) | undefined

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      socket.on('error', () => undefined) // The other end was killed.
    }
    near.on('data', (bytes) => (dropped ? dropped() : far.write(bytes)))
    far.on('data', (bytes) => {
      if (!intercept) return void near.write(bytes)
      intercept()
      intercept = undefined
      near.destroy()
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropRequests: () => new Promise((resolve) => (dropped = resolve)),
    forward() {
      dropped = undefined
    },
    onNextAnswer(act) {
      intercept = act
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

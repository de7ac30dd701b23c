import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * When a line is cut, seen from the statement that it carries:
 * `unsent`, the server never hears of it; `sent`, only the client's side is cut and the server works
 * on; `done`, the server has answered and the client does not hear it.
 */
export type Cut = 'unsent' | 'sent' | 'done'

/** A line to a database that can be cut at the moment that hurts. */
export type Proxy = {
  /** The database's URL, through the proxy. */
  readonly url: string
  /** Cuts the next line that carries the word, once. Resolves when it has. */
  cutNext(word: string, when: Cut): Promise<void>
  /** From now on swallows everything, both ways, without a word. */
  blackOut(): void
  /** Cuts all lines and refuses new ones, until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
}

type Fault = { readonly word: string; readonly when: Cut; readonly done: () => void }

/** What all lines have in common. */
type State = { readonly sockets: Set<Socket>; isBlack: boolean; fault: Fault | undefined }

/** @param target a `postgres://` URL over TCP or, with `?host=/folder`, a Unix socket */
export async function openProxy(target: string): Promise<Proxy> {
  const state: State = { sockets: new Set(), isBlack: false, fault: undefined }
  const dial = dialer(target)
  const accept = (client: Socket): void => join(state, client, dial())

  let listener = await listen(accept, 0)
  const { port } = listener.address() as AddressInfo
  return {
    url: throughPort(target, port),
    cutNext: (word, when) =>
      new Promise((resolve) => {
        state.fault = { word, when, done: resolve }
      }),
    blackOut: () => {
      state.isBlack = true
    },
    shut: async () => {
      const closed = once(listener, 'close')
      listener.close()
      for (const socket of state.sockets) socket.destroy()
      await closed
    },
    open: async () => {
      state.isBlack = false
      listener = await listen(accept, port)
    },
  }
}

/** One line: passes on what each side says, until the fault that is meant for it. */
function join(state: State, client: Socket, server: Socket): void {
  let fault: Fault | undefined
  const cut = (): void => {
    client.destroy()
    fault?.done()
  }
  client.on('data', (chunk) => {
    if (state.isBlack) return
    if (state.fault !== undefined && chunk.includes(state.fault.word)) {
      fault = state.fault
      state.fault = undefined
    }
    if (fault?.when !== 'unsent') server.write(chunk)
    if (fault !== undefined && fault.when !== 'done') cut()
  })
  server.on('data', (chunk) => {
    if (state.isBlack) return
    if (fault === undefined) client.write(chunk)
    else cut()
  })
  for (const socket of [client, server]) {
    state.sockets.add(socket)
    socket.on('error', () => undefined) // A cut line complains: that is what it is cut for.
    socket.on('close', () => {
      state.sockets.delete(socket)
      client.destroy()
      // Left to itself, the server's side finds out only when it next writes.
      if (fault?.when !== 'sent') server.destroy()
    })
  }
}

async function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const listener = createServer(accept).listen(port, '127.0.0.1')
  await once(listener, 'listening')
  return listener
}

function dialer(target: string): () => Socket {
  const url = new URL(target)
  const folder = url.searchParams.get('host')
  const port = url.port === '' ? '5432' : url.port
  return folder === null
    ? () => connect(Number(port), url.hostname)
    : () => connect(`${folder}/.s.PGSQL.${port}`)
}

function throughPort(target: string, port: number): string {
  const url = new URL(target)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

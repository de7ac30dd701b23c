import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * When a line is cut, seen from the statement that it carries:
 * `unsent`, the server never hears of it; `sent`, only the client's side is cut and the server works
 * on; `done`, the server has answered and the client does not hear it.
 */
export type Cut = 'unsent' | 'sent' | 'done'

/** A TCP proxy in front of a server, with faults for tests. */
export type Proxy = {
  /** The target's URL when the proxy was opened, through the proxy. */
  readonly url: string
  /** Cuts the next line that carries the word, once. Resolves when it has. */
  cutNext(word: string, when: Cut): Promise<void>
  /** From now on swallows everything, both ways, without a word. */
  blackOut(): void
  /** Forwards nothing until `resume`; bytes that arrive meanwhile are kept, new connections too. */
  stall(): void
  resume(): void
  /** Cuts the open connections; bytes that a stall kept are lost. */
  cut(): void
  /** Cuts the open connections; later ones lead to this target. */
  pointTo(target: Target): void
  /** Cuts all lines and refuses new ones, until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
}

/** A `postgres://` URL over TCP or, with `?host=/folder`, a Unix socket; a function is called at each connection. */
export type Target = string | (() => string)

type Fault = { readonly word: string; readonly when: Cut; readonly done: () => void }

/** What all lines have in common. */
type State = {
  readonly sockets: Set<Socket>
  isBlack: boolean
  isStalled: boolean
  fault: Fault | undefined
}

export async function openProxy(first: Target): Promise<Proxy> {
  const state: State = { sockets: new Set(), isBlack: false, isStalled: false, fault: undefined }
  let target = first
  const accept = (client: Socket): void => join(state, client, dial(urlOf(target)))
  const cut = (): void => {
    for (const socket of state.sockets) socket.destroy()
  }

  let listener = await listen(accept, 0)
  const { port } = listener.address() as AddressInfo
  return {
    url: throughPort(urlOf(first), port),
    cutNext: (word, when) =>
      new Promise((resolve) => {
        state.fault = { word, when, done: resolve }
      }),
    blackOut: () => {
      state.isBlack = true
    },
    stall: () => {
      state.isStalled = true
      for (const socket of state.sockets) socket.pause()
    },
    resume: () => {
      state.isStalled = false
      for (const socket of state.sockets) socket.resume()
    },
    cut,
    pointTo: (next) => {
      target = next
      cut()
    },
    shut: async () => {
      const closed = once(listener, 'close')
      listener.close()
      cut()
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
    if (state.isStalled) socket.pause()
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

const urlOf = (target: Target): string => (typeof target === 'string' ? target : target())

function dial(target: string): Socket {
  const url = new URL(target)
  const folder = url.searchParams.get('host')
  const port = url.port === '' ? '5432' : url.port
  return folder === null
    ? connect(Number(port), url.hostname)
    : connect(`${folder}/.s.PGSQL.${port}`)
}

function throughPort(target: string, port: number): string {
  const url = new URL(target)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

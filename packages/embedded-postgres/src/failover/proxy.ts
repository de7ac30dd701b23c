import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * When a connection is cut, relative to the statement that it carries: `unsent`, before the server receives
 * it; `sent`, after that, and only on the client's side, so that the server goes on; `done`, after the server
 * has answered and before the client receives the answer.
 */
export type Cut = 'unsent' | 'sent' | 'done'

/** A TCP proxy in front of a server, with faults for tests. */
export type Proxy = {
  /** The URL of the first target, through the proxy. */
  readonly url: string
  /** Cuts the next connection that carries the word, once. Resolves when it is cut. */
  cutNext(word: string, when: Cut): Promise<void>
  /** Drops all bytes in both directions from now on, without closing connections. */
  blackOut(): void
  /** Forwards nothing until `resume`; keeps the bytes and connections that arrive meanwhile. */
  stall(): void
  resume(): void
  /** Cuts the open connections, and drops the bytes that a stall has kept. */
  cut(): void
  /** Cuts the open connections, and connects later ones to this target. */
  pointTo(target: Target): void
  /** Cuts all connections, and refuses new ones until `open`. */
  shut(): Promise<void>
  open(): Promise<void>
}

/**
 * A `postgres://` URL over TCP or, with `?host=/folder`, a Unix socket; a function is called for each
 * connection.
 */
export type Target = string | (() => string)

type Fault = { readonly word: string; readonly when: Cut; readonly done: () => void }

/** The state that all connections share. */
type State = {
  readonly sockets: Set<Socket>
  isBlack: boolean
  isStalled: boolean
  fault: Fault | undefined
}

export async function openProxy(first: Target): Promise<Proxy> {
  const state: State = { sockets: new Set(), isBlack: false, isStalled: false, fault: undefined }
  let target = first
  const accept = (client: Socket): void => forward(state, client, dial(urlOf(target)))
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

/** One connection: forwards bytes in both directions until its fault. */
function forward(state: State, client: Socket, server: Socket): void {
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
    socket.on('error', () => undefined) // expected after a cut
    socket.on('close', () => {
      state.sockets.delete(socket)
      client.destroy()
      // Without this the server notices a lost client only when it next writes.
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

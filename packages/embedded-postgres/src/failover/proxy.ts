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
  /** Forwards later connections again. One that has lost bytes stays open and silent: half-open. */
  endBlackOut(): void
  /** Delays the bytes of both directions, and the end of a connection, by this time. */
  delay(milliseconds: number): void
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

/** A `postgres://` URL over TCP or, with `?host=/folder`, a Unix socket; a function is called for each connection. */
export type Target = string | (() => string)

type Fault = { readonly word: string; readonly when: Cut; readonly done: () => void }

/** The state that all connections share. */
type State = {
  readonly sockets: Set<Socket>
  isBlack: boolean
  isStalled: boolean
  delayMs: number
  fault: Fault | undefined
}

export async function openProxy(first: Target): Promise<Proxy> {
  const state: State = { sockets: new Set(), isBlack: false, isStalled: false, delayMs: 0, fault: undefined }
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
    endBlackOut: () => {
      state.isBlack = false
    },
    delay: (milliseconds) => {
      state.delayMs = milliseconds
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
  const [toServer, toClient] = [delayed(state), delayed(state)]
  let fault: Fault | undefined
  let hasLostBytes = false
  const isLost = (): boolean => (hasLostBytes ||= state.isBlack)
  const cut = (): void => {
    client.destroy()
    fault?.done()
  }
  client.on('data', (chunk) => {
    if (isLost()) return
    if (state.fault !== undefined && chunk.includes(state.fault.word)) {
      fault = state.fault
      state.fault = undefined
    }
    if (fault?.when !== 'unsent') toServer(() => server.write(chunk))
    if (fault !== undefined && fault.when !== 'done') cut()
  })
  server.on('data', (chunk) => {
    if (isLost()) return
    if (fault === undefined) toClient(() => client.write(chunk))
    else cut()
  })
  for (const socket of [client, server]) {
    state.sockets.add(socket)
    if (state.isStalled) socket.pause()
    socket.on('error', () => undefined) // expected after a cut
    socket.on('close', () => {
      state.sockets.delete(socket)
      toClient(() => client.destroy())
      // Without this the server notices a lost client only when it next writes.
      if (fault?.when !== 'sent') toServer(() => server.destroy())
    })
  }
}

/** Runs each action after the delay, in order. */
function delayed(state: State): (action: () => void) => void {
  const queue: { readonly due: number; readonly action: () => void }[] = []
  const runDue = (): void => {
    for (let [next] = queue; next !== undefined; [next] = queue) {
      const waitMs = next.due - performance.now()
      if (waitMs > 0) return void setTimeout(runDue, waitMs)
      queue.shift()
      next.action()
    }
  }
  return (action) => {
    if (queue.length === 0 && state.delayMs === 0) return action()
    queue.push({ due: performance.now() + state.delayMs, action })
    if (queue.length === 1) setTimeout(runDue, state.delayMs)
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
  return folder === null ? connect(Number(port), url.hostname) : connect(`${folder}/.s.PGSQL.${port}`)
}

function throughPort(target: string, port: number): string {
  const url = new URL(target)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

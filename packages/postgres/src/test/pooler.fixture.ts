import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection pooler for tests, which speaks enough of PostgreSQL's protocol for servers that trust every login. */
export type PoolerOptions = {
  /** `session`: a connection has a session of its own. `transaction`: it has one for each transaction. */
  readonly mode: 'session' | 'transaction'
  /** Parameters of the start that the pooler does not forward, as PgBouncer's `ignore_startup_parameters`. */
  readonly drops?: readonly string[]
  /** A parameter of the start that it refuses, as PgBouncer does with all that it does not know. */
  readonly refuses?: string
  /** How many sessions there can be; later connections wait. */
  readonly size?: number
}

export type Pooler = AsyncDisposable & { readonly url: string }

type Startup = readonly (readonly [string, string])[]

/** Messages with a type byte, cut from a stream. */
function messages(take: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(String.fromCharCode(message[0] ?? 0), message)
    }
  }
}

function startMessage(parameters: Startup): Buffer {
  const text = parameters.map((pair) => `${pair.join('\0')}\0`).join('')
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8, 0)
  head.writeInt32BE(0x3_00_00, 4)
  return Buffer.concat([head, body])
}

function readStart(message: Buffer): Startup {
  const words = message.subarray(8).toString().split('\0')
  return words.flatMap((word, n) => (n % 2 === 0 && word ? [[word, words[n + 1] ?? ''] as const] : []))
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.from(`${type}....`)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** The key that the pooler sends for a session, which is not the server's. */
const poolerKey = message('K', Buffer.from([0, 0, 0, 1, 0, 0, 0, 2]))
const isIdle = (ready: Buffer): boolean => ready[5] === 'I'.charCodeAt(0)

/** A session of the server. `given` receives what the server sends. */
type ServerSession = { readonly socket: Socket; given: (type: string, message: Buffer) => void }

type Sessions = {
  take(start: Startup): Promise<ServerSession>
  give(session: ServerSession): void
  end(session: ServerSession): void
}

/** The sessions of the server, at most `size` of them. */
function sessionsOf({ mode, drops = [], size = 3 }: PoolerOptions, connected: () => Socket): Sessions {
  const idle: ServerSession[] = []
  const waiting: { readonly start: Startup; readonly taken: (session: ServerSession) => void }[] = []
  let count = 0
  const give = (session: ServerSession): void => {
    const next = waiting.shift()
    if (next) next.taken(session)
    else idle.push(session)
  }
  const open = (start: Startup): void => {
    count++
    const socket = connected()
    const session: ServerSession = { socket, given: (type) => type === 'Z' && give(session) }
    socket.on(
      'data',
      messages((type, message) => session.given(type, message)),
    )
    socket.write(startMessage(start.filter(([name]) => !drops.includes(name))))
  }
  return {
    take: (start) =>
      new Promise((taken) => {
        // The oldest of several idle sessions, so that statements of one connection alternate between them.
        const found = mode === 'transaction' ? idle.shift() : undefined
        if (count < size) open(start)
        if (found) taken(found)
        else waiting.push({ start, taken })
      }),
    give,
    end: (session) => {
      count--
      session.socket.destroy()
      const [next] = waiting
      if (next) open(next.start)
    },
  }
}

export async function openPooler(url: string, options: PoolerOptions): Promise<Pooler> {
  const sockets = new Set<Socket>()
  const tracked = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    return socket
  }
  const sessions = sessionsOf(options, () => tracked(dial(url)))
  const { refuses } = options
  const listener = createServer((client) => {
    tracked(client)
    client.once('data', (first: Buffer) => {
      const start = readStart(first)
      if (refuses !== undefined && start.some(([name]) => name === refuses))
        client.end(refusal(`unsupported startup parameter: ${refuses}`))
      else serve(client, options.mode, { ...sessions, take: () => sessions.take(start) })
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const through = new URL(url)
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String((listener.address() as AddressInfo).port)
  return {
    url: through.href,
    [Symbol.asyncDispose]: async () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Answers the start of a connection, and runs each of its transactions in a session, or all of them in one. */
function serve(
  client: Socket,
  mode: PoolerOptions['mode'],
  { take, give, end }: Omit<Sessions, 'take'> & { readonly take: () => Promise<ServerSession> },
): void {
  let own: ServerSession | undefined
  let work = Promise.resolve()
  let batch: Buffer[] = []
  const taken = async (): Promise<ServerSession> => {
    own ??= await take()
    const session = own
    session.given = (type, message) => {
      client.write(message)
      if (type !== 'Z' || !isIdle(message) || mode === 'session') return
      own = undefined
      give(session)
    }
    return session
  }
  client.on('close', () => {
    void work.then(() => {
      if (own) end(own)
      own = undefined
    })
  })
  const answerStart = (): void => {
    client.write(message('R', Buffer.from([0, 0, 0, 0])))
    client.write(message('S', Buffer.from('client_encoding\0UTF8\0')))
    client.write(poolerKey)
    client.write(message('Z', Buffer.from('I')))
  }
  if (mode === 'transaction') answerStart()
  else work = taken().then(answerStart)
  client.on(
    'data',
    messages((type, sent) => {
      batch.push(sent)
      if (type === 'X') return void client.end()
      if (type !== 'S' && type !== 'Q') return
      const whole = Buffer.concat(batch)
      batch = []
      work = work.then(async () => {
        const { socket } = await taken()
        socket.write(whole)
        if (mode === 'transaction') await untilReady(socket)
      })
    }),
  )
}

/** Returns after the server has answered. */
async function untilReady(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const read = messages((type) => {
    if (type === 'Z') resolve()
  })
  socket.on('data', read)
  await promise
  socket.off('data', read)
}

function refusal(reason: string): Buffer {
  const fields = [`SFATAL`, 'VFATAL', 'C08P01', `M${reason}`].map((field) => `${field}\0`).join('')
  return message('E', Buffer.from(`${fields}\0`))
}

function dial(target: string): Socket {
  const url = new URL(target)
  const folder = url.searchParams.get('host')
  const port = url.port === '' ? '5432' : url.port
  return folder === null ? connect(Number(port), url.hostname) : connect(`${folder}/.s.PGSQL.${port}`)
}

import { jsonClient, type JsonClient, type JsonClientOptions } from '@quipu/http-json'

/** Where the network is, its token, and limits of its connections. */
export type ClientOptions = Omit<JsonClientOptions, 'scope' | 'headers' | 'parse'> & {
  /** Sent as `Authorization: Bearer …`. */
  readonly token: string
}

export const bearerClient = ({ token, ...options }: ClientOptions): JsonClient =>
  jsonClient({ ...options, scope: '@quipu/qr-network', headers: { authorization: `Bearer ${token}` } })

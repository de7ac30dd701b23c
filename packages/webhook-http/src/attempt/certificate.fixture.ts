import { generateKeyPairSync, sign } from 'node:crypto'

/** In PEM. */
export type CertifiedKey = { readonly key: string; readonly cert: string }

const oid = {
  commonName: [0x55, 0x04, 0x03],
  subjectAltName: [0x55, 0x1d, 0x11],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
}

/** A new key with a self-signed certificate for one name, valid until 2049 by default. */
export function selfSigned(name: string, until = '491231235959Z'): CertifiedKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(der(0x06, Buffer.from(oid.ecdsaWithSha256)))
  const named = sequence(der(0x31, sequence(der(0x06, Buffer.from(oid.commonName)), der(0x0c, Buffer.from(name)))))
  const names = sequence(der(0x82, Buffer.from(name)))
  const extension = sequence(der(0x06, Buffer.from(oid.subjectAltName)), der(0x04, names))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    named,
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from(until))),
    named,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)])
  const certificate = sequence(content, algorithm, der(0x03, signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines(certificate.toString('base64'))}\n-----END CERTIFICATE-----\n`,
  }
}

const lines = (base64: string): string => base64.replaceAll(/.{64}(?=.)/g, '$&\n')

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts))

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

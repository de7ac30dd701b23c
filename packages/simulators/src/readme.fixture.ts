import { startQrNetwork, startTronDevnet } from '@quipu/simulators'

/** Mines a transfer, then removes it with a fork. @returns the recipient's balances, micro-USDT */
export async function droppedTransfer(): Promise<readonly bigint[]> {
  const devnet = await startTronDevnet() // its node is at devnet.url, its admin port at devnet.adminUrl
  const [from, to] = [`41${'a1'.repeat(20)}`, `41${'b2'.repeat(20)}`]
  devnet.setTokenBalance(from, 5_000_000n)
  const txid = devnet.transfer({ from, to, value: 5_000_000n })
  devnet.mine()
  const mined = devnet.tokenBalance(to)
  devnet.fork(1, { drop: [txid] })
  const forked = devnet.tokenBalance(to)
  await devnet.stop()
  return [mined, forked]
}

/** Reads a test QR while the network answers its first request with 503. @returns both statuses */
export async function readAfterFault(): Promise<readonly number[]> {
  const network = await startQrNetwork({ token: 'member', callbackSecret: 'secret' })
  const { content } = network.issueQr({ amount_mode: 'closed', amount: '25.00' })
  await network.setFaults({ fail_next: { read: 1 } })
  const read = async (): Promise<number> => {
    const headers = { authorization: 'Bearer member', 'content-type': 'application/json' }
    const body = JSON.stringify({ content, request_id: 'r1' })
    return (await fetch(`${network.url}/v1/qr/read`, { method: 'POST', headers, body })).status
  }
  const statuses = [await read(), await read()]
  await network.stop()
  return statuses
}

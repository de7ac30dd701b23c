/** A function or event of a contract's ABI, in Tron's format. */
export type AbiEntry = {
  readonly name: string
  readonly type: 'Function' | 'Event'
  readonly stateMutability?: 'View' | 'Nonpayable'
  readonly inputs?: readonly { readonly name: string; readonly type: string; indexed?: boolean }[]
  readonly outputs?: readonly { readonly type: string }[]
}

const inputs = (text: string): NonNullable<AbiEntry['inputs']> =>
  text === ''
    ? []
    : text.split(',').map((part) => {
        const [type = '', ...words] = part.trim().split(' ')
        const name = words.at(-1) ?? ''
        return words.length > 1 ? { indexed: true, name, type } : { name, type }
      })

const view = (name: string, inputText: string, type: string): AbiEntry => ({
  name,
  type: 'Function',
  stateMutability: 'View',
  inputs: inputs(inputText),
  outputs: [{ type }],
})

const write = (name: string, inputText: string, type?: string): AbiEntry => ({
  name,
  type: 'Function',
  stateMutability: 'Nonpayable',
  inputs: inputs(inputText),
  ...(type !== undefined && { outputs: [{ type }] }),
})

const event = (name: string, inputText: string): AbiEntry => ({ name, type: 'Event', inputs: inputs(inputText) })

export const tokenEvents: readonly AbiEntry[] = [
  event('Transfer', 'address indexed from, address indexed to, uint256 value'),
  event('Approval', 'address indexed owner, address indexed spender, uint256 value'),
  event('AddedBlackList', 'address indexed _user'),
  event('RemovedBlackList', 'address indexed _user'),
  event('DestroyedBlackFunds', 'address indexed _blackListedUser, uint256 _balance'),
  event('Issue', 'uint256 amount'),
  event('Redeem', 'uint256 amount'),
  event('Params', 'uint256 feeBasisPoints, uint256 maxFee'),
  event('Deprecate', 'address newAddress'),
  event('Pause', ''),
  event('Unpause', ''),
]

export const tokenAbi: readonly AbiEntry[] = [
  view('name', '', 'string'),
  view('symbol', '', 'string'),
  view('decimals', '', 'uint8'),
  view('totalSupply', '', 'uint256'),
  view('balanceOf', 'address who', 'uint256'),
  view('allowance', 'address owner, address spender', 'uint256'),
  view('owner', '', 'address'),
  view('getOwner', '', 'address'),
  view('isBlackListed', 'address _maker', 'bool'),
  view('getBlackListStatus', 'address _maker', 'bool'),
  view('paused', '', 'bool'),
  view('deprecated', '', 'bool'),
  view('basisPointsRate', '', 'uint256'),
  view('maximumFee', '', 'uint256'),
  write('transfer', 'address to, uint256 value', 'bool'),
  write('transferFrom', 'address from, address to, uint256 value', 'bool'),
  write('approve', 'address spender, uint256 value', 'bool'),
  write('addBlackList', 'address _evilUser'),
  write('removeBlackList', 'address _clearedUser'),
  write('destroyBlackFunds', 'address _blackListedUser'),
  write('pause', ''),
  write('unpause', ''),
  write('setParams', 'uint256 newBasisPoints, uint256 newMaxFee'),
  write('issue', 'uint256 amount'),
  write('redeem', 'uint256 amount'),
  write('deprecate', 'address _upgradedAddress'),
  ...tokenEvents,
]

import type { lookup } from 'node:dns'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPrivateAddress, isPublicAddress } from './http/address.ts'
import { privateAddressMessage, isInsideHost, openOutgoing } from './outgoing.ts'

/** Every range outside the public internet, its first and last address, and addresses that embed one of them. */
const inside: readonly (readonly [name: string, addresses: readonly string[]])[] = [
  ['this network', ['0.0.0.0', '0.255.255.255', '::']],
  ['loopback', ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']],
  ['private', ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255', 'fc00::', 'fdff:ffff::1']],
  ['link-local', ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1']],
  ['shared', ['100.64.0.0', '100.127.255.255']],
  [
    'documentation, tests, relays',
    [
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '192.88.99.1',
      '2001:db8::1',
      '2001:2::1',
      '100::1',
    ],
  ],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1']],
  ['reserved, broadcast', ['240.0.0.1', '255.255.255.255', '4000::1', '5f00::1']],
  [
    'mapped',
    ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '::FFFF:10.1.2.3', '::ffff:169.254.169.254', '::ffff:0.0.0.0'],
  ],
  ['compatible, translated', ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8']],
  ['NAT64', ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::8.8.8.8', '64:ff9b:0:1::8.8.8.8']],
  ['6to4', ['2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:1::1', '2002:a9fe:a9fe::']],
  // The client's address is embedded with every bit inverted.
  ['Teredo', ['2001:0:808:808::80ff:fffe', '2001:0:7f00:1::f7f7:f7f7', '2001:0:a00:1::1']],
  ['ISATAP', ['2606:4700::5efe:127.0.0.1', '2606:4700::200:5efe:a00:1']],
  [
    'no address in its usual form',
    ['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '127.0.0.01', '8.8.8', '1e3', 'constructor', '1.2.3.4.5', '::g'],
  ],
]
const outside = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2001:0:808:808::f7f7:f7f7',
  '2606:4700::5efe:8.8.8.8',
]

describe('an address', () => {
  it.each(inside)('private is not public: %s', (_, addresses) => expect(addresses.filter(isPublicAddress)).toEqual([]))
  it('of the public internet is public', () => expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]))
  it('is one of our own network only in loopback, private and link-local ranges', () => {
    expect(
      ['127.0.0.1', '::1', '::ffff:10.0.0.1', '::ffff:7f00:1', '192.168.1.1', 'fe80::1', 'fd00::1'].filter(
        (address) => !isPrivateAddress(address),
      ),
    ).toEqual([])
    expect([...outside, '0.0.0.0', 'localhost', '64:ff9b::127.0.0.1', '2002:7f00:1::'].filter(isPrivateAddress)).toEqual([])
  })
})

describe('a URL', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://①②⑦.⓪.⓪.①/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://u:p@10.0.0.1/',
    'http://8.8.8.8@10.0.0.1/',
    'http://127.0.0.1./',
    'http://0x7f.0.0.0x1./',
    'http://0177.0x0.0.1/',
    'http://127.0.1/',
    'http://3232235777/',
    'http://%31%32%37.0.0.1/',
    'http://１２７。０。０。１/',
    'http://[0:0:0:0:0:ffff:169.254.169.254]/',
    'http://[64:ff9b:1::8.8.8.8]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:808:808::80ff:fffe]/',
    'http://[fe80::1]/',
  ])('%s lies inside, however it is written', (url) => expect(isInsideHost(url)).toBe(true))
  it('with a name is resolved when it is called', () =>
    expect([isInsideHost('http://localhost/'), isInsideHost('https://8.8.8.8/')]).toEqual([false, false]))
})

describe('an outgoing call', () => {
  let server: Server
  let port = 0
  let calls = 0
  beforeAll(async () => {
    server = createServer((request, answer) => {
      calls += 1
      if (request.url === '/away') answer.writeHead(302, { location: `http://[::ffff:127.0.0.1]:${port}/` })
      answer.end('here')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  const names = (...answers: string[][]) => {
    const asked: string[] = []
    const resolve = ((host: string, _: object, done: (error: null, addresses: object[]) => void) => {
      asked.push(host)
      done(
        null,
        (answers[asked.length - 1] ?? answers.at(-1)!).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }) as unknown as typeof lookup
    return { asked, resolve }
  }

  it('to a private address sends nothing, whatever its form or name', async () => {
    const before = calls
    const { resolve } = names(['127.0.0.1'], ['::ffff:127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['64:ff9b::7f00:1'])
    const outgoing = openOutgoing({ reach: 'public', resolve })
    for (const host of [
      '127.0.0.1',
      '127.0.0.1.',
      '2130706433',
      '0x7f.1',
      '[::ffff:7f00:1]',
      '[::1]',
      'one.test',
      'two.test',
      'three.test',
      'four.test',
    ]) {
      await expect(outgoing.request(`http://${host}:${port}/`), host).rejects.toThrow(privateAddressMessage)
    }
    expect(calls).toBe(before)
    await outgoing.destroy()
  })

  it('goes to the checked address: a name is resolved once per connection', async () => {
    const { asked, resolve } = names(['198.41.0.4'], ['127.0.0.1'])
    const outgoing = openOutgoing({ reach: 'public', resolve, connectMs: 300 })
    const before = calls
    await expect(outgoing.request(`http://turning.test:${port}/`, { signal: AbortSignal.timeout(1_000) })).rejects.toThrow()
    await expect(outgoing.request(`http://turning.test:${port}/`)).rejects.toThrow(privateAddressMessage)
    expect([calls - before, asked]).toEqual([0, ['turning.test', 'turning.test']])
    await outgoing.destroy()
  })

  it('reaches hosts that the operator names, follows no redirect, and reaches nothing else', async () => {
    const outgoing = openOutgoing({ reach: 'public', hosts: ['127.0.0.1'] })
    const away = await outgoing.request(`http://127.0.0.1:${port}/away`)
    expect([away.statusCode, outgoing.refuses(`http://127.0.0.1:${port}/`), outgoing.refuses('http://127.0.0.2/')]).toEqual([
      302,
      false,
      true,
    ])
    await away.body.dump()
    await expect(outgoing.request(String(away.headers.location))).rejects.toThrow(privateAddressMessage)
    await outgoing.close()
  })

  it('to an address of the settings may be private', async () => {
    const outgoing = openOutgoing({ reach: 'operator' })
    expect(await (await outgoing.request(`http://localhost:${port}/`)).body.text()).toBe('here')
    await outgoing.close()
  })
})

import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { linkTo } from './simulate/money-link.ts'
import { simulateMoney } from './simulate/money.ts'
import { driveDevice } from './simulate/device.ts'
import type { Tally } from './simulate/link.ts'
import { isReplayable, replayFrame, replayImei, type PublishedFrame } from './simulate/replay.ts'
import { protocols, vehicleOf, type Protocol, type Vehicle } from './simulate/vehicle.ts'

const help = `Drives made-up vehicles around Nairobi and reports them to a running geo service over real sockets.

  npm run simulate -- [--devices 12] [--every 5] [--past 0] [--host 127.0.0.1] [--only teltonika] [--list]
                      [--teltonika 5027] [--gt06 5023] [--h02 5013] [--osmand 5055]

  --devices    how many vehicles
  --every      seconds between two reports of a moving vehicle
  --past       hours that have already happened when it starts; they are sent first
  --teltonika, --gt06, --h02, --osmand   ports of the geo service
  --only       vehicles of that protocol only
  --list       prints the identities to register, and ends
  --replay     a file of recorded frames ({ decoderTests: { <protocol>: [{ id, protocol, hex }] } }): sends each of them in
               pieces, as device ${replayImei}, and compares what comes back

Or plays M-Pesa and a USSD gateway against a running server: payments of loans that run, some under a reference that nobody knows, each told several
times at once; results of payouts that were sent; USSD sessions.

  npm run simulate -- money [--url http://127.0.0.1:8080] [--user admin@sunrise.test] [--payments 20] [--sessions 10] [--copies 3]

  --user       who opens the doors of the providers; the password is PASSWORD, or that of the demo`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    devices: { type: 'string', default: '12' },
    every: { type: 'string', default: '5' },
    past: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    teltonika: { type: 'string', default: '5027' },
    gt06: { type: 'string', default: '5023' },
    h02: { type: 'string', default: '5013' },
    osmand: { type: 'string', default: '5055' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    replay: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    user: { type: 'string', default: 'admin@sunrise.test' },
    payments: { type: 'string', default: '20' },
    sessions: { type: 'string', default: '10' },
    copies: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})

try {
  if (values.help) console.log(help)
  else if (positionals[0] === 'money') await money()
  else if (positionals.length > 0) throw new Error(`simulate knows money, and trackers without a word; not ${positionals.join(' ')}`)
  else if (values.list) console.table(fleet().map(({ uniqueId, protocol, name }) => ({ uniqueId, protocol, name })))
  else if (values.replay) await replay(values.replay)
  else await simulate(fleet())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function money(): Promise<void> {
  const plan = {
    payments: numberOf('payments', 0, 10_000),
    sessions: numberOf('sessions', 0, 10_000),
    copies: numberOf('copies', 1, 50),
    random: Math.random,
  }
  const tally = await simulateMoney(await linkTo(values.url, values.user, process.env['PASSWORD']), plan)
  console.table([tally])
  if (tally.refused > 0) process.exitCode = 1
}

function fleet(): Vehicle[] {
  const all = Array.from({ length: numberOf('devices', 1, 20_000) }, (_, number) => vehicleOf(number))
  const only = values.only === undefined ? null : onlyProtocol(values.only)
  return all.filter(({ protocol }) => only === null || protocol === only)
}

/** Prints the frames that were not confirmed as expected. */
async function replay(path: string): Promise<void> {
  const { decoderTests } = JSON.parse(await readFile(path, 'utf8')) as { decoderTests: Record<string, PublishedFrame[]> }
  const frames = Object.values(decoderTests)
    .flat()
    .filter((frame) => isReplayable(frame) && (values.only ?? frame.protocol) === frame.protocol)
  const wrong = []
  for (const frame of frames) {
    const result = await replayFrame(frame, { host: values.host, port: numberOf(frame.protocol as Protocol, 1, 65_535) })
    if (result.got !== result.expected) wrong.push(result)
  }
  if (wrong.length > 0) console.table(wrong)
  console.log(`${frames.length - wrong.length} of ${frames.length} recorded frames confirmed as they should be`)
  if (wrong.length > 0) process.exitCode = 1
}

/** Runs until Ctrl-C; prints a line every ten seconds. */
async function simulate(vehicles: readonly Vehicle[]): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const tally: Tally = { sent: 0, answered: 0, refused: new Set(), connected: 0, commands: 0 }
  const ports = Object.fromEntries(protocols.map((name) => [name, numberOf(name, 1, 65_535)])) as Record<Protocol, number>
  const since = Date.now() - numberOf('past', 0, 24 * 31) * 3_600_000
  const every = numberOf('every', 1, 3600) * 1000
  const report = setInterval(() => console.log(lineOf(tally, vehicles.length)), 10_000)
  console.log(
    `${vehicles.length} vehicles report to ${values.host}, ${protocols.map((name) => `${name} ${ports[name]}`).join(', ')}. Ctrl-C ends it.`,
  )
  await Promise.all(
    vehicles.map((vehicle) =>
      driveDevice(vehicle, {
        link: { host: values.host, port: ports[vehicle.protocol], signal: stop.signal, tally },
        every,
        since,
        say: console.error,
      }),
    ),
  )
  clearInterval(report)
  console.log(lineOf(tally, vehicles.length))
}

function lineOf({ connected, sent, answered, refused, commands }: Tally, of: number): string {
  const unknown = refused.size > 0 ? `, ${refused.size} not known to the service (--list names them)` : ''
  return `${connected} of ${of} connected, ${answered} positions confirmed of ${sent} sent, ${commands} commands${unknown}`
}

function numberOf(name: 'devices' | 'every' | 'past' | 'payments' | 'sessions' | 'copies' | Protocol, least: number, most: number): number {
  const number = Number(values[name])
  if (number >= least && number <= most) return number
  throw new Error(`--${name} is a number from ${least} to ${most}, not ${values[name]}`)
}

function onlyProtocol(name: string): Protocol {
  const known = protocols.find((protocol) => protocol === name)
  if (known) return known
  throw new Error(`--only is one of ${protocols.join(', ')}, not ${name}`)
}

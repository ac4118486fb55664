import { drain, endGracefully } from '@outpost/platform/http/shutdown'
import { runProgram, announceReady } from '@outpost/platform/run-program'
import { createApp, listenHttp } from './app.ts'
import { readGeoEnv } from './env.ts'
import { readPlacesAhead } from './geocoding/places.ts'
import { openPorts } from './ingest/listen/ports.ts'
import { createFeeds } from './ingest/traccar/feeds.ts'
import { startTraccar } from './ingest/traccar/start.ts'
import { assertSafe, createMachine } from './machine.ts'
import { startHousekeeping } from './positions/housekeeping.ts'
import { createProcessor } from './processing/processor.ts'
import { startRounds } from './processing/rounds.ts'
import { startWebhooks } from './processing/webhooks.ts'

/** Starts one process of the geo service, announces its address, and shuts down in order on a signal. */
async function start(): Promise<void> {
  const env = await readGeoEnv()
  const machine = createMachine(env)
  const { log, pools, ingestServices } = machine
  await assertSafe(machine)
  const housekeeping = await startHousekeeping({ pools, log, keepDays: env.KEEP_DAYS })
  let isOpen = true
  const http = await createApp(machine, () => isOpen)
  const url = await http.listen({ host: env.HOST, port: env.PORT })
  const { open: ports, closed } = await openPorts(ingestServices, {
    ports: env.DEVICE_PORTS,
    host: env.DEVICE_HOST,
    perAddress: env.DEVICES_PER_ADDRESS,
    maxSockets: env.DEVICES_MOST,
    proxies: env.DEVICE_PROXIES,
    log,
    listenHttp: listenHttp(machine, () => isOpen),
  })
  const traccar = startTraccar(machine, env)
  const feeds = createFeeds({ ingestServices, pools, keys: env.GEO_KEYS, hosts: env.FEED_HOSTS, log })
  feeds.start()
  const processor = createProcessor({ pools, log })
  processor.start()
  const webhooks = startWebhooks({ pools, log })
  const rounds = startRounds({ pools, log })
  endGracefully({
    log,
    steps: [
      {
        name: 'readiness',
        run: async () => {
          isOpen = false
          await housekeeping.stop()
        },
      },
      { name: 'traccar', run: async () => void (await Promise.all([traccar?.stop(), feeds.stop()])) },
      { name: 'devices', run: async () => void (await Promise.all(ports.map((port) => port.close()))) },
      { name: 'processing', run: async () => void (await Promise.all([processor.stop(), rounds.stop(), webhooks.stop()])) },
      { name: 'http', run: () => drain(http) },
      { name: 'machine', run: machine.close },
    ],
  })
  announceReady({ url, ports: ports.map(({ protocol, transport, port }) => ({ protocol, transport, port })), closed })
  // Loaded in the background; until then a request for the name of a place waits.
  readPlacesAhead().catch((error: unknown) => log.warn({ err: error }, 'place names wait'))
}

runProgram(start)

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface TraccarPosition {
  deviceId: number
  fixTime: string
  valid: boolean
  latitude: number
  longitude: number
  speed: number
  attributes: Record<string, unknown>
}
export interface TraccarDevice {
  id: number
  uniqueId: string
  name: string
  groupId?: number
  lastUpdate?: string | null
  [key: string]: unknown
}

export interface FakeTraccar {
  url: string
  devices: TraccarDevice[]
  groups: object[]
  geofences: { id: number; [key: string]: unknown }[]
  /** Ids of fences by `device <id>` or `group <id>`. */
  links: Record<string, number[]>
  drivers: object[]
  history: TraccarPosition[]
  /** Calls so far: path and Authorization header. */
  seen: { path: string; authorization: string | undefined }[]
  /** Answers before the lists do, when it returns true. */
  interrupt: (request: IncomingMessage, response: ServerResponse) => boolean
  close(): Promise<void>
}

/** A Traccar server as far as we read it: four lists and the route report. */
export async function fakeTraccar(): Promise<FakeTraccar> {
  const fake: FakeTraccar = {
    url: '',
    devices: [],
    groups: [],
    geofences: [],
    links: {},
    drivers: [],
    history: [],
    seen: [],
    interrupt: () => false,
    close: async () => undefined,
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://traccar')
    fake.seen.push({ path: pathname, authorization: request.headers.authorization })
    if (fake.interrupt(request, response)) return
    const lists: Record<string, () => unknown[]> = {
      '/api/devices': () => fake.devices,
      '/api/groups': () => fake.groups,
      '/api/geofences': () => {
        const of = searchParams.get('deviceId')
          ? `device ${searchParams.get('deviceId')}`
          : searchParams.get('groupId')
            ? `group ${searchParams.get('groupId')}`
            : null
        return of === null ? fake.geofences : fake.geofences.filter(({ id }) => fake.links[of]?.includes(id))
      },
      '/api/drivers': () => fake.drivers,
      '/api/reports/route': () => {
        const [from, to] = [Date.parse(searchParams.get('from') ?? ''), Date.parse(searchParams.get('to') ?? '')]
        return fake.history.filter(
          ({ deviceId, fixTime }) =>
            String(deviceId) === searchParams.get('deviceId') && Date.parse(fixTime) >= from && Date.parse(fixTime) <= to,
        )
      },
    }
    const list = lists[pathname]
    response.writeHead(list ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(list?.() ?? ''))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address() as { port: number }
  fake.url = `http://127.0.0.1:${address.port}`
  fake.close = () =>
    new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return fake
}

interface Parcel {
  position: TraccarPosition
  device: TraccarDevice
  at: number
  attempt: number
}
export interface PosterOptions {
  /** Sends one forwarded message now and says whether it was answered with 2xx. */
  post: (body: { position: TraccarPosition; device: TraccarDevice }) => Promise<boolean>
  /** The receiver is away from then until then, epoch milliseconds of the positions' clock. */
  outage: { from: number; until: number }
  seed?: number
}

/**
 * Traccar's forwarder with forward.retry.enable, on a clock of its own: one message a request, not in order, tried
 * again after 100 ms and twice as long each time, ten times at most, never more than 100 waiting; some answers get
 * lost on the way back. Returns how many messages it gave up.
 */
export async function forwardAll(
  messages: readonly { position: TraccarPosition; device: TraccarDevice }[],
  { post, outage, seed = 7 }: PosterOptions,
): Promise<{ given: number; sent: number }> {
  let state = seed
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const queue: Parcel[] = messages.map((message) => ({
    ...message,
    at: Date.parse(message.position.fixTime) + random() * 15_000,
    attempt: 0,
  }))
  const result = { given: 0, sent: 0 }
  while (queue.length > 0) {
    const next = queue.reduce((first, one) => (one.at < first.at ? one : first))
    queue.splice(queue.indexOf(next), 1)
    const isAway = next.at >= outage.from && next.at < outage.until
    const isAnswered = !isAway && (await post({ position: next.position, device: next.device })) && random() > 0.1
    if (isAnswered) result.sent += 1
    else if (next.attempt >= 10 || queue.filter(({ attempt }) => attempt > 0).length >= 100) result.given += 1
    else queue.push({ ...next, at: next.at + 100 * 2 ** next.attempt, attempt: next.attempt + 1 })
  }
  return result
}

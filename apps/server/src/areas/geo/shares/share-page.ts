import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { wordingFor } from '../../../kernel/settings/wording.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import type { PageView } from '../../../kernel/public/page-view.ts'
import { publicPage } from '../../../kernel/public/page.ts'
import type { Ctx, Route } from '../../../kernel/types.ts'
import { devicesOfAssets } from '../assets/asset-devices.ts'
import { assetOf, type Mounted } from '../assets/asset-wire.ts'
import { askGeo } from '../calls/ask-geo.ts'
import { blurred, pictureOf, type Spot } from './picture.ts'

interface Shared {
  assetId: string
  registrationNumber: string
  expireDate: Date
  status: string
  blurMetres: number
  showsSpeed: boolean
  showsTrail: boolean
}

const sharedOf = (ctx: Ctx, id: string) =>
  ctx.sql.maybe<Shared>(sql`
    select s."assetId", a."registrationNumber", s."expireDate", s."status", s."blurMetres", s."showsSpeed", s."showsTrail"
    from asset_share s join asset a on a."companyId" = s."companyId" and a."id" = s."assetId" and a."deletedAt" is null
    where s."companyId" = ${ctx.company.id}::uuid and s."id" = ${id}::uuid`)

const refreshSeconds = 30
const states: ReadonlyMap<string, string> = new Map(
  Object.entries({
    moving: 'On its way',
    towed: 'On its way',
    idling: 'Standing, engine on',
    stopped: 'Standing',
    offline: 'Its tracker is not connected at present',
    unknown: 'Its tracker is not connected at present',
  }),
)

async function viewOf(client: GeoClient, ctx: Ctx, id: string): Promise<PageView> {
  const shared = await sharedOf(ctx, id)
  if (!shared || shared.status !== 'Active')
    return { title: 'This link was withdrawn', paragraphs: [`Ask ${ctx.company.name} for a new one.`] }
  const title = shared.registrationNumber
  const again = { buttons: [{ label: 'Look again', isMain: true }] }
  const until = (await wordingFor(ctx.company)).moment(shared.expireDate)
  try {
    const devices = (await devicesOfAssets(client, ctx, [shared.assetId])).get(shared.assetId) ?? []
    return { title, refreshSeconds, form: again, ...(await whereabouts(client, ctx, { shared, devices, until })) }
  } catch (error) {
    ctx.log.warn({ err: error }, 'a shared place could not be read')
    return {
      title,
      refreshSeconds,
      paragraphs: ['Its place cannot be read at present. This page looks again by itself.'],
      facts: { 'Shared until': until },
      form: again,
    }
  }
}

interface Seen {
  shared: Shared
  devices: readonly Mounted[]
  until: string
}

async function whereabouts(client: GeoClient, ctx: Ctx, { shared, devices, until }: Seen): Promise<Partial<PageView>> {
  const { state, deviceTime } = assetOf({ Id: shared.assetId }, devices)
  const main = devices.find(({ position }) => position !== null && position.fixTime === deviceTime)
  if (!main?.position) return { paragraphs: ['Its tracker has not told a place yet.'], facts: { 'Shared until': until } }
  const { latitude, longitude, speed, course, fixTime } = main.position
  const place = blurred({ latitude, longitude }, shared.blurMetres)
  const [words, trail] = await Promise.all([
    nameOf(client, ctx, place),
    shared.showsTrail && shared.blurMetres === 0 ? trailOf(client, ctx, main.deviceId) : [],
  ])
  const isMoving = state === 'moving' || state === 'towed'
  return {
    facts: {
      State: states.get(String(state)) ?? '',
      ...(words === null ? {} : { Near: words }),
      ...(shared.showsSpeed && isMoving && speed !== null ? { Speed: `${Math.round(speed)} km/h` } : {}),
      Seen: (await wordingFor(ctx.company)).moment(new Date(fixTime)),
      'Shared until': until,
    },
    picture: {
      svg: pictureOf({ place, course: isMoving ? course : null, blurMetres: shared.blurMetres, trail, words }),
      alt: `Map: ${shared.registrationNumber}${words === null ? '' : `, near ${words}`}`,
    },
    ...(shared.blurMetres > 0
      ? {}
      : {
          links: [
            {
              label: 'Open in OpenStreetMap',
              href: `https://www.openstreetmap.org/?mlat=${place.latitude.toFixed(5)}&mlon=${place.longitude.toFixed(5)}#map=16/${place.latitude.toFixed(5)}/${place.longitude.toFixed(5)}`,
            },
          ],
        }),
  }
}

const address = z.object({ address: z.string().nullable(), source: z.string().nullable() })
async function nameOf(client: GeoClient, ctx: Ctx, { latitude, longitude }: Spot): Promise<string | null> {
  const { data } = await askGeo(client, ctx, 'geocoding', {
    params: { coordinates: `${latitude.toFixed(6)},${longitude.toFixed(6)}` },
    shape: address,
  })
  // What the company calls its fences and points of interest is nobody's business outside.
  return data.source === 'fence' || data.source === 'poi' ? null : data.address
}

const points = z.object({
  position: z.array(z.looseObject({ latitude: z.number().nullable(), longitude: z.number().nullable(), isValid: z.boolean() })),
})
async function trailOf(client: GeoClient, ctx: Ctx, deviceId: string): Promise<Spot[]> {
  const query = {
    deviceId,
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date().toISOString(),
    simplify: '20',
    fields: 'id,latitude,longitude,isValid',
  }
  const { data } = await askGeo(client, ctx, 'positions.list', { query, shape: points })
  return data.position.flatMap(({ latitude, longitude, isValid }) =>
    isValid && latitude !== null && longitude !== null ? [{ latitude, longitude }] : [],
  )
}

/** The page of a share link: where one asset is, until the link ends, and nothing else. */
export const sharePage = (client: GeoClient): Route[] =>
  publicPage('assets.sharedPage', '/shared/:token', {
    link: { table: 'asset_share', hash: 'tokenHash', expires: 'expireDate' },
    why: 'whoever holds the link sees where one asset is, as far as the one who shared it chose',
    show: async ({ ctx, id, state }) => (state === 'expired' ? undefined : viewOf(client, ctx, id)),
    input: z.strictObject({}),
    submit: (ctx, id) => viewOf(client, ctx, id),
    limit: 60,
  })

import { metresBetween, type Point } from '../places/distance.ts'

/** What is known of a vehicle that secures a loan. Times in ms since 1970. */
export interface Collateral {
  id: string
  registration: string
  clientId: string
  hasTracker: boolean
  /** When its trackers were last heard of; null never. */
  heardAt: number | null
  place: Point | null
  isMoving: boolean
  /** Signs of tampering of the last days, each in words, and whether it goes on. */
  tampering: readonly { words: string; isOpen: boolean }[]
  /** Fences that it must not leave and has left. */
  left: readonly { fence: string; isBorder: boolean }[]
  /** Where it was in the middle of each night, the newest first; null where that is not known. */
  nights: readonly (Point | null)[]
  daysPastDue: number
}

export interface Risk {
  points: number
  /** The sum in words, the heaviest first: "Silent for 4 days (+40)". */
  why: string[]
  /** Something about the vehicle itself, not the payments alone. */
  isWatched: boolean
}

interface Reason {
  points: number
  words: string
  isAboutVehicle: boolean
}

const hour = 3_600_000
/** Vehicles parked closer than this are side by side: a yard, or a buyer. */
const besideMetres = 100
/** Further than this from where it is usually parked is another place. */
const nightMetres = 1_000
/** The nights that are looked at, and those before that say what is usual. */
const lastNights = 7
/** Fewer known nights do not show where it is usually parked. */
const leastNights = 5

/** The risk of each vehicle. Points are our own scale: 40 and more want somebody to act today. */
export function collateralRisks(all: readonly Collateral[], now: number): ReadonlyMap<string, Risk> {
  const standing = all.filter(({ place, isMoving, heardAt }) => place && !isMoving && heardAt !== null && now - heardAt < 24 * hour)
  return new Map(
    all.map((one) => {
      const reasons = [
        ...silence(one, now),
        ...one.tampering.map(({ words, isOpen }) => vehicle(isOpen ? 45 : 25, words)).slice(0, 3),
        ...one.left.map(({ fence, isBorder }) => vehicle(isBorder ? 50 : 25, `Left ${fence}`)),
        ...oddNights(one),
        ...besides(one, standing),
        ...arrears(one),
      ].toSorted((a, b) => b.points - a.points)
      return [
        one.id,
        {
          points: reasons.reduce((sum, { points }) => sum + points, 0),
          why: reasons.map(({ words, points }) => `${words} (+${points})`),
          isWatched: reasons.some(({ isAboutVehicle }) => isAboutVehicle),
        },
      ]
    }),
  )
}

const vehicle = (points: number, words: string): Reason => ({ points, words, isAboutVehicle: true })

function silence({ hasTracker, heardAt }: Collateral, now: number): Reason[] {
  if (!hasTracker) return [vehicle(30, 'No tracker on it')]
  if (heardAt === null) return [vehicle(30, 'Its tracker was never heard of')]
  const hours = Math.floor((now - heardAt) / hour)
  if (hours < 24) return []
  return [vehicle(hours < 72 ? 20 : 40, hours < 72 ? `Silent for ${hours} hours` : `Silent for ${Math.floor(hours / 24)} days`)]
}

/** Nights away from the place where it was parked most of the nights before. */
function oddNights({ nights }: Collateral): Reason[] {
  const before = nights.slice(lastNights).filter((night) => night !== null)
  const isNear = (a: Point, b: Point) => metresBetween(a, b) <= nightMetres
  const scored = before.map((night) => ({ night, count: before.filter((other) => isNear(night, other)).length }))
  const usual = scored.toSorted((a, b) => b.count - a.count)[0]
  // Whoever sleeps somewhere else every night has no usual place.
  if (!usual || before.length < leastNights || usual.count < before.length / 2) return []
  const away = nights.slice(0, lastNights).filter((night) => night !== null && !isNear(night, usual.night)).length
  return away < 2 ? [] : [vehicle(15, `${away} of the last ${lastNights} nights away from its usual place`)]
}

/** Vehicles of other clients that are parked beside it now. */
function besides({ id, clientId, place }: Collateral, standing: readonly Collateral[]): Reason[] {
  if (!place || !standing.some((one) => one.id === id)) return []
  const beside = standing.filter((one) => one.clientId !== clientId && one.place && metresBetween(place, one.place) <= besideMetres)
  return beside.length === 0
    ? []
    : [
        vehicle(
          20,
          `Stands beside ${beside
            .map(({ registration }) => registration)
            .toSorted()
            .join(', ')}`,
        ),
      ]
}

function arrears({ daysPastDue }: Collateral): Reason[] {
  if (daysPastDue < 1) return []
  const points = daysPastDue > 90 ? 20 : daysPastDue > 30 ? 10 : 5
  return [{ points, words: `${daysPastDue} days past due`, isAboutVehicle: false }]
}

/**
 * What each harsh event costs. Points are taken off 100 for every 100 km, as eco-driving scores of fleet systems do (Wialon's
 * "penalty points per 100 km"); the weights are our own: twice as much for what endangers others as for what wears the vehicle.
 */
export const penalties = {
  hardBraking: { points: 5, label: 'hard braking' },
  hardAcceleration: { points: 5, label: 'hard acceleration' },
  hardCornering: { points: 5, label: 'hard cornering' },
  speeding: { points: 10, label: 'too fast' },
  fatigueDriving: { points: 10, label: 'tired driving' },
  highRpm: { points: 2, label: 'high revs' },
} as const satisfies Record<string, { points: number; label: string }>

export type Penalty = keyof typeof penalties

export interface Score {
  /** 0 to 100 with one decimal; null below `leastKm`, where one event would decide. */
  score: number | null
  /** The sum that the score is, to be checked by hand. */
  sum: string
}

/** Too few kilometres for a score. */
const leastKm = 10

/** The score of a driver over some kilometres: 100 less the penalty points of each 100 km. */
export function scoreOf(counts: Readonly<Record<Penalty, number>>, km: number): Score {
  if (km < leastKm) return { score: null, sum: `No score below ${leastKm} km` }
  const told = (Object.keys(penalties) as Penalty[]).filter((key) => counts[key] > 0)
  const driven = Math.round(km * 10) / 10
  if (told.length === 0) return { score: 100, sum: `100: nothing in ${driven} km` }
  const points = told.reduce((sum, key) => sum + counts[key] * penalties[key].points, 0)
  const score = Math.max(0, Math.round((100 - (points / driven) * 100) * 10) / 10)
  const parts = told.map((key) => `${counts[key]} ${penalties[key].label} × ${penalties[key].points}`).join(' + ')
  return { score, sum: `100 − (${parts}) ÷ ${driven} km × 100${points > driven ? ', not below 0' : ''} = ${score}` }
}

import { metresBetween, type Point } from '@outpost/rules/places/distance'

/** A road to drive: its points, and the distance of each along it, in metres. */
export interface Road {
  points: readonly Point[]
  metres: readonly number[]
  length: number
}

/** Roads out of Nairobi by some of their places (latitude, longitude), from the centre outwards; accurate enough for a demonstration. */
const roads: readonly (readonly (readonly [number, number])[])[] = [
  // Thika Road: Globe, Pangani, Muthaiga, Allsops, Garden City, Roysambu, Githurai, Kahawa, Ruiru, Juja, Thika
  [
    [-1.2786, 36.8219],
    [-1.2657, 36.8367],
    [-1.2588, 36.8418],
    [-1.2445, 36.8712],
    [-1.2325, 36.8785],
    [-1.2189, 36.888],
    [-1.2045, 36.902],
    [-1.1842, 36.9302],
    [-1.148, 36.961],
    [-1.103, 37.014],
    [-1.039, 37.07],
  ],
  // Mombasa Road: Nyayo, Bellevue, South C, Imara Daima, Cabanas, airport, Mlolongo, Athi River
  [
    [-1.304, 36.8245],
    [-1.3142, 36.8372],
    [-1.3226, 36.8545],
    [-1.3262, 36.868],
    [-1.3292, 36.8875],
    [-1.3345, 36.9002],
    [-1.394, 36.942],
    [-1.456, 36.978],
  ],
  // Waiyaki Way: Museum Hill, Westlands, Kangemi, Uthiru, Kinoo, Kikuyu, Limuru
  [
    [-1.2744, 36.8139],
    [-1.2675, 36.807],
    [-1.265, 36.748],
    [-1.2612, 36.7178],
    [-1.253, 36.694],
    [-1.2281, 36.6722],
    [-1.113, 36.642],
  ],
  // Ngong Road: Community, Prestige, Junction, Dagoretti Corner, Karen, Ngong
  [
    [-1.2985, 36.814],
    [-1.2997, 36.7871],
    [-1.2985, 36.7625],
    [-1.3032, 36.7502],
    [-1.319, 36.707],
    [-1.362, 36.656],
  ],
  // Langata Road: Nyayo, T-Mall, Wilson, Carnivore, Galleria, Karen
  [
    [-1.304, 36.8245],
    [-1.312, 36.816],
    [-1.319, 36.808],
    [-1.3296, 36.7984],
    [-1.343, 36.765],
    [-1.319, 36.707],
  ],
  // Outer Ring and Eastern Bypass: Allsops, Kariobangi, Donholm, Taj, airport, Utawala, Ruai
  [
    [-1.2445, 36.8712],
    [-1.2618, 36.8795],
    [-1.2958, 36.8863],
    [-1.3185, 36.8921],
    [-1.3232, 36.9176],
    [-1.2912, 36.9632],
    [-1.2652, 37.0002],
  ],
  // Jogoo and Kangundo Road: City Stadium, Makadara, Umoja, Kayole, Ruai, Kamulu
  [
    [-1.2925, 36.8385],
    [-1.2922, 36.8608],
    [-1.283, 36.8968],
    [-1.2734, 36.913],
    [-1.2652, 37.0002],
    [-1.2702, 37.0648],
  ],
]
const pointsBetween = 24

export const roadPaths: readonly Road[] = roads.map((places) =>
  roadThrough(curved(places.map(([latitude, longitude]) => ({ latitude, longitude })))),
)

function roadThrough(points: readonly Point[]): Road {
  const metres = [0]
  for (const [index, point] of points.entries())
    if (index > 0) metres.push((metres[index - 1] ?? 0) + metresBetween(points[index - 1] ?? point, point))
  return { points, metres, length: metres.at(-1) ?? 0 }
}

/** Bends the road: a Catmull-Rom curve through the places. */
function curved(places: readonly Point[]): Point[] {
  const at = (index: number): Point => places[Math.min(places.length - 1, Math.max(0, index))] as Point
  const along = (index: number, t: number, part: keyof Point) => {
    const [a, b, c, d] = [-1, 0, 1, 2].map((step) => at(index + step)[part]) as [number, number, number, number]
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3)
  }
  const legs = places.slice(1).flatMap((_, index) =>
    Array.from({ length: pointsBetween }, (__, step) => {
      const t = step / pointsBetween
      return { latitude: along(index, t, 'latitude'), longitude: along(index, t, 'longitude') }
    }),
  )
  return [...legs, at(places.length - 1)]
}

/** The position after a number of metres of driving back and forth, and the heading (degrees, 0 north). */
export function placeOn(way: Road, metres: number): Point & { course: number } {
  const folded = metres <= way.length ? metres : 2 * way.length - metres
  const next = Math.max(
    1,
    way.metres.findIndex((reached) => reached >= folded),
  )
  const [from, to] = [way.points[next - 1], way.points[next]] as [Point, Point]
  const [begins, ends] = [way.metres[next - 1] ?? 0, way.metres[next] ?? 0]
  const share = ends === begins ? 0 : (folded - begins) / (ends - begins)
  const east = (to.longitude - from.longitude) * Math.cos((from.latitude * Math.PI) / 180)
  const course = (Math.atan2(east, to.latitude - from.latitude) * 180) / Math.PI + (metres > way.length ? 180 : 0)
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
    course: Math.round(course + 360) % 360,
  }
}

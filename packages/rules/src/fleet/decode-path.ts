/** Places of an encoded polyline with five digits (Google's algorithm), degrees. */
export function decodePath(path: string): (readonly [lat: number, lng: number])[] {
  const places: (readonly [number, number])[] = []
  let [index, lat, lng] = [0, 0, 0]
  const next = () => {
    let [result, shift, byte] = [0, 0, 0]
    do {
      byte = path.charCodeAt(index) - 63
      index += 1
      result |= (byte & 31) << shift
      shift += 5
    } while (byte >= 32)
    return result & 1 ? ~(result >> 1) : result >> 1
  }
  while (index < path.length) {
    lat += next()
    lng += next()
    places.push([lat / 1e5, lng / 1e5])
  }
  return places
}

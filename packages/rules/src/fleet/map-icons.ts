/** The icons an asset may have on the map, with their words; the console draws the picture of each name. */
export const mapIcons = {
  car: 'Car',
  van: 'Van',
  truck: 'Truck',
  motorbike: 'Motorbike',
  bus: 'Bus',
  tractor: 'Tractor',
  trailer: 'Trailer',
  person: 'Person',
  box: 'Box',
} as const

/** As the options of a choice, each with its picture. */
export const mapIconOptions = Object.entries(mapIcons).map(([value, label]) => ({ value, label, picture: value }))

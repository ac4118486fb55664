/** A heading of the left menu; `order` is its place among all headings and the screens beside them (the specification's, in tens). */
export interface MenuHeading {
  key: string
  label: string
  icon: string
  order: number
  hiddenOffline?: boolean
}

/** A screen's place in the menu: under a heading's key, or null beside the headings. */
export interface MenuPlace {
  under: string | null
  label: string
  icon: string
  order: number
  hiddenOffline?: boolean
}

/** Width and height of the box that the pictures are drawn in. */
export const pictureSize = 24

const wheel = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
const ring = (x: number, y: number, r: number) => `${wheel(x, y, r)}${wheel(x, y, r - 1.2)}`

/**
 * Small pictures in one colour, as SVG paths whose even-odd rule leaves windows and rings open. The map draws them on canvas and as
 * elements, choices beside their words.
 */
const pictures = {
  car: `M2 16v-3.2q0-1 1-1.2l2.6-.6 2.2-3.6q.4-.7 1.2-.7h5.6q.7 0 1.2.5l3.4 3.9 1.8.5q1 .3 1 1.3V16h-2a2.6 2.6 0 0 0-5.2 0H9.2a2.6 2.6 0 0 0-5.2 0zM7.5 10.9h3.6V8.2H9.2zM12.5 10.9h4.3l-2.3-2.7h-2z${wheel(6.6, 16.2, 1.8)}${wheel(17.4, 16.2, 1.8)}`,
  van: `M1.5 16V7.5q0-1 1-1h12q.7 0 1.1.5l3.4 4.3 2.5.7q1 .3 1 1.3V16h-1.7a2.6 2.6 0 0 0-5.2 0H9.2a2.6 2.6 0 0 0-5.2 0zM13 10.9h3.9l-2.2-2.7H13z${wheel(6.6, 16.2, 1.8)}${wheel(18.2, 16.2, 1.8)}`,
  truck: `M1 15.5V6q0-.8.8-.8h11.4q.8 0 .8.8v9.5H9.4a2.6 2.6 0 0 0-5.1 0zM15 8h3.7q.6 0 1 .5l2.7 3.6q.3.4.3.9v2.5h-1.6a2.6 2.6 0 0 0-5.1 0h-1zM16.4 9.4v2.8h4l-2.1-2.8z${wheel(6.8, 16.2, 1.8)}${wheel(18.6, 16.2, 1.8)}`,
  motorbike: `M8.2 9.4h4.6l2.3-2.2-.9-1.4h-1.7V4.4h2.4l1.4 2.2h2.2v2.2h-1.2l1.3 2.3-1.3.7-.9-1.6-2.3 5.4H9.6L8 12.2H4.6L3.4 9.8h3z${ring(5.2, 16, 3.4)}${ring(18.8, 16, 3.4)}`,
  bus: `M1.5 16V6.4q0-1.2 1.2-1.2h17.2q1 0 1.3 1l1.3 5.4V16h-2a2.5 2.5 0 0 0-5 0H8.9a2.5 2.5 0 0 0-5 0zM3.2 7v3.6h4V7zM8.6 7v3.6h4V7zM14 7v3.6h6.3L19.5 7z${wheel(6.4, 16.2, 1.7)}${wheel(18, 16.2, 1.7)}`,
  tractor: `M5.6 4.6h7.2l1.4 5h4.2V6.8h1.4v2.8h1.4q1 0 1 1v3.7a3 3 0 0 0-5 1.7h-4.6a5 5 0 0 0-7.3-5.6zM7.6 6.2v3.2h4.9l-.9-3.2z${wheel(7.6, 15, 4.2)}${wheel(7.6, 15, 1.6)}${wheel(19, 16.8, 2.2)}`,
  trailer: `M2.8 6h14.4q.8 0 .8.8v6.6h4.6V15h-7.9a2.7 2.7 0 0 0-4.4 0H2.8q-.8 0-.8-.8V6.8q0-.8.8-.8z${wheel(12.5, 16.6, 1.9)}`,
  person: `${wheel(12, 6.8, 3.6)}M4.8 20v-2.6q0-5 5-5h4.4q5 0 5 5V20z`,
  box: `M12 2.6l8.4 4.2v10.4L12 21.4l-8.4-4.2V6.8zM5.4 8.9v7.2l5.7 2.9v-7.2zM18.6 8.9l-5.7 2.9v7.2l5.7-2.9z`,
}

/** The path of a picture; undefined for a name that has none. */
export const pictureOf = (name: string | null | undefined): string | undefined =>
  name != null && Object.hasOwn(pictures, name) ? pictures[name as keyof typeof pictures] : undefined

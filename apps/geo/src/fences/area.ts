import { sizeOfShape } from '@outpost/rules/places/size'
import type { CompiledShape } from './shape.ts'

/** Area of a fence in square metres; for a route, that of its corridor ignoring bends. Holes are subtracted. */
export const squareMetres = ({ kind, lines, radius }: CompiledShape): number => sizeOfShape(kind, lines, radius).squareMetres

import { Button, Select } from 'antd'
import { CaretRightOutlined, PauseOutlined } from '@ant-design/icons'
import { useEffect, useMemo, useState } from 'react'
import { MapFrame, type MapLine, type MapPoint } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatTime } from '../../view/formats.ts'
import { piecesOf, placeAt, speedPath, type Fix } from './replay.ts'
import type { Day, EventRow, Stop } from './replay-day.ts'

const paces = [1, 4, 16, 64].map((value) => ({ value, label: `${value}×` }))
const strip = { width: 600, height: 72 }

/** The day on a line of time: play, pace, scrubber, speed, stops and events. */
export function Player({ day: { asset, fixes, stops, events } }: { day: Day }) {
  const { address, patch } = useAddress()
  const [from, to] = [fixes[0]?.time ?? 0, fixes.at(-1)?.time ?? 0]
  const [time, setTime] = useState(from)
  const [isPlaying, setPlaying] = useState(false)
  const [pace, setPace] = useState(16)
  usePlaying({ isPlaying, pace, to, setTime, onEnd: () => setPlaying(false) })
  const now = placeAt(fixes, time)
  const lines = useMemo(
    () =>
      piecesOf(fixes).map((piece, index): MapLine => ({
        id: `way-${index}`,
        positions: piece.map(({ lat, lng }) => [lat, lng] as const),
        tone: 'info',
        label: t('The way of the day'),
      })),
    [fixes],
  )
  const marks = useMemo(() => marksOf(stops, events), [stops, events])
  const points = useMemo(
    (): MapPoint[] =>
      now
        ? [
            ...marks,
            {
              id: 'now',
              lat: now.lat,
              lng: now.lng,
              label: asset.registrationNumber,
              tone: 'good',
              ...(now.course === null ? {} : { heading: now.course }),
            },
          ]
        : marks,
    [marks, now, asset.registrationNumber],
  )
  return (
    <>
      <MapFrame
        label={t('The day')}
        points={points}
        lines={lines}
        isClustered={false}
        hasList={false}
        viewport={textOf(address.map)}
        onViewport={(map) => patch({ map })}
        height="min(520px, 55dvh)"
        onOpen={(point) => jump(point.id, stops, events, setTime)}
      />
      <div className="fleet-replay-bar" role="group" aria-label={t('Player')}>
        <Button
          type="primary"
          icon={isPlaying ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          aria-label={isPlaying ? t('Pause') : t('Play')}
          onClick={() => {
            if (time >= to) setTime(from)
            setPlaying(!isPlaying)
          }}
        />
        <Select aria-label={t('Pace')} value={pace} onChange={setPace} options={paces} />
        <input
          type="range"
          aria-label={t('Time of day')}
          aria-valuetext={formatTime(new Date(time).toISOString())}
          min={from}
          max={to}
          step={1_000}
          value={time}
          onChange={(event) => setTime(Number(event.target.value))}
        />
        <output>
          {formatTime(new Date(time).toISOString())} · {Math.round(now?.speed ?? 0)} km/h
        </output>
      </div>
      <SpeedStrip fixes={fixes} stops={stops} span={{ from, to }} time={time} />
      <ol className="fleet-rows" aria-label={t('Stops and events')}>
        {[
          ...stops.map((stop) => ({ key: stop.id, at: stop.startTime, words: stopWords(stop) })),
          ...events.map((event) => ({ key: event.eventId, at: event.eventTime, words: event.words })),
        ]
          .toSorted((a, b) => a.at.localeCompare(b.at))
          .map(({ key, at, words }) => (
            <li key={key}>
              <Button size="small" onClick={() => setTime(Math.max(from, Math.min(to, Date.parse(at))))}>
                {formatTime(at)}
              </Button>
              <span>{words}</span>
            </li>
          ))}
      </ol>
    </>
  )
}

function usePlaying({
  isPlaying,
  pace,
  to,
  setTime,
  onEnd,
}: {
  isPlaying: boolean
  pace: number
  to: number
  setTime: React.Dispatch<React.SetStateAction<number>>
  onEnd: () => void
}): void {
  useEffect(() => {
    if (!isPlaying) return undefined
    let last = performance.now()
    let frame = requestAnimationFrame(function step(stamp) {
      const passed = (stamp - last) * pace
      last = stamp
      setTime((before) => Math.min(to, before + passed))
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, pace, to, setTime])
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setInterval(
      () =>
        setTime((before) => {
          if (before >= to) queueMicrotask(onEnd)
          return before
        }),
      500,
    )
    return () => clearInterval(timer)
  }, [isPlaying, to, setTime, onEnd])
}

const stopWords = ({ kind, startTime, endTime }: Stop) => {
  const minutes = endTime ? Math.round((Date.parse(endTime) - Date.parse(startTime)) / 60_000) : undefined
  return `${t(kind === 'parked' ? 'Parked' : kind === 'idling' ? 'Stood, engine on' : 'No messages')}${minutes === undefined ? '' : ` · ${t('{{count}} min', { count: minutes })}`}`
}

function marksOf(stops: readonly Stop[], events: readonly EventRow[]): MapPoint[] {
  return [
    ...stops.map((stop, index): MapPoint => ({
      id: stop.id,
      lat: stop.latitude,
      lng: stop.longitude,
      number: index + 1,
      tone: 'info',
      label: stopWords(stop),
      note: formatTime(stop.startTime),
    })),
    ...events.flatMap((event): MapPoint[] =>
      event.latitude === null || event.longitude === null
        ? []
        : [
            {
              id: event.eventId,
              lat: event.latitude,
              lng: event.longitude,
              tone: event.severity === 'critical' ? 'bad' : event.severity === 'warning' ? 'warn' : 'quiet',
              label: event.words,
              note: formatTime(event.eventTime),
            },
          ],
    ),
  ]
}

function jump(id: string, stops: readonly Stop[], events: readonly EventRow[], setTime: (time: number) => void): void {
  const at = stops.find((stop) => stop.id === id)?.startTime ?? events.find((event) => event.eventId === id)?.eventTime
  if (at !== undefined) setTime(Date.parse(at))
}

function SpeedStrip({
  fixes,
  stops,
  span: { from, to },
  time,
}: {
  fixes: readonly Fix[]
  stops: readonly Stop[]
  span: { from: number; to: number }
  time: number
}) {
  const path = useMemo(() => speedPath(fixes, { from, to, ...strip }), [fixes, from, to])
  const x = (at: number) => Math.max(0, Math.min(strip.width, ((at - from) / Math.max(1, to - from)) * strip.width))
  return (
    <svg
      className="fleet-strip"
      viewBox={`0 0 ${strip.width} ${strip.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Speed over the day; stops are shaded')}
    >
      {stops.map(({ id, startTime, endTime }) => {
        const [left, right] = [x(Date.parse(startTime)), endTime ? x(Date.parse(endTime)) : strip.width]
        return <rect key={id} x={left} width={Math.max(1, right - left)} y={0} height={strip.height} />
      })}
      <path d={path} />
      <line x1={x(time)} x2={x(time)} y1={0} y2={strip.height} />
    </svg>
  )
}

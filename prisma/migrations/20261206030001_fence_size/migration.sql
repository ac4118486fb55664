-- How large a fence is, kept beside its shape so that lists can show it and sort by it.
alter table geo.geofence add column "squareMetres" double precision;
alter table geo.geofence add column "edgeMetres" double precision;

-- Fences that are there: the same sums as packages/rules/src/places/size.ts. Companies have hundreds of fences, not millions.
with corner as (
  select f."companyId", f."id", ring.n as ring, point.n as point, (point.place ->> 0)::double precision as x, (point.place ->> 1)::double precision as y
  from geo.geofence f
  cross join lateral jsonb_array_elements(case f."shape" when 'polygon' then f."area" -> 'coordinates' else jsonb_build_array(f."area" -> 'coordinates') end) with ordinality as ring (places, n)
  cross join lateral jsonb_array_elements(ring.places) with ordinality as point (place, n)
  where f."shape" in ('polygon', 'route')
), step as (
  select *, lag(x) over w as before_x, lag(y) over w as before_y from corner window w as (partition by "companyId", "id", ring order by point)
), turned as (
  select *, x - before_x - 360 * round((x - before_x) / 360) as turn from step
), ring as (
  select "companyId", "id", ring,
    coalesce(abs(sum(radians(turn) * (2 + sin(radians(before_y)) + sin(radians(y))))) * 6371000.0 ^ 2 / 2, 0) as area,
    coalesce(sum(6371000 * sqrt((radians(turn) * cos(radians((y + before_y) / 2))) ^ 2 + radians(y - before_y) ^ 2)), 0) as edge
  from turned group by 1, 2, 3
), size as (
  select "companyId", "id", sum(case ring when 1 then area else -area end) as area, sum(edge) as edge from ring group by 1, 2
)
update geo.geofence f set
  "squareMetres" = case f."shape" when 'circle' then pi() * f."radius" ^ 2 when 'route' then size.edge * 2 * f."radius" + pi() * f."radius" ^ 2 else size.area end,
  "edgeMetres" = case f."shape" when 'circle' then 2 * pi() * f."radius" else size.edge end
from geo.geofence g left join size on size."companyId" = g."companyId" and size."id" = g."id"
where g."companyId" = f."companyId" and g."id" = f."id";

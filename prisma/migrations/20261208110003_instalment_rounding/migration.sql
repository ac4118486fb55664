-- To what the instalments of a product are rounded; loans pin it with their terms.
alter table "product_version" add column "instalmentRounding" text not null default 'none';

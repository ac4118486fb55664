-- AlterTable
ALTER TABLE "tenant" ADD COLUMN     "dayEndHour" SMALLINT;

alter table tenant add constraint tenant_day_end check ("dayEndHour" between 0 and 23);

import { limits } from "./limits";

export const config = {
  port: 8080,
  host: "localhost",
  release: 1,
  limits,
};

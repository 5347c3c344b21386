// Renders a template with Liquid or Handlebars: {engine, template, values} on standard input, the page on standard output.
import Handlebars from "handlebars";
import { Liquid } from "liquidjs";
import { readFileSync } from "node:fs";

const { engine, template, values } = JSON.parse(readFileSync(0, "utf8"));
const render = {
  liquid: () => new Liquid().parseAndRenderSync(template, values),
  handlebars: () => Handlebars.compile(template)(values),
};
process.stdout.write(render[engine]());

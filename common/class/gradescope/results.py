"""Turns grades.jsonl in a folder into Gradescope's results.json: 60 points for an exact
kernel, 20 for the part of its sectors that it needed, 20 for that of its wavefronts."""
import json
import os
import sys


def points(grade):
    """Returns the points of a grade and the lines that explain them."""
    lines = [grade["verdict"]]
    if grade["verdict"] != "exact":
        return 0, lines + [grade.get("message", "")]
    total = grade.get("total", {})
    score = 60
    for what in ("sectors", "wavefronts"):
        asked, best = total.get(what, 0), total.get("best_" + what, 0)
        part = min(1, best / asked) if asked else 0
        score += 20 * part
        lines.append(f"{what}: {asked:,}, {best:,} at best: {20 * part:.1f} of 20")
    return round(score, 1), lines


def main(folder):
    path = os.path.join(folder, "grades.jsonl")
    grades = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            grades = [json.loads(line) for line in f if line.strip()]
    # A folder without a .cu has a row too: here it is a report, or pictures.
    grades = [g for g in grades if g["file"].lower().endswith(".cu")]
    if not grades:
        with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as f:
            return {"score": 0, "output": "nothing was graded:\n" + f.read()}
    if len(grades) > 1:
        names = ", ".join(g["file"] for g in grades)
        return {"score": 0, "output": f"{len(grades)} kernels were handed in, and one is wanted: {names}"}
    score, lines = points(grades[0])
    return {"score": score, "output": "\n".join(lines)}


if __name__ == "__main__":
    json.dump(main(sys.argv[1]), sys.stdout)
